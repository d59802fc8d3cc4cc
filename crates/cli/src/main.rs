fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut e = lab::Experiment::open(&a[1]).unwrap_or_else(|e| {
        eprintln!("{e}");
        std::process::exit(2)
    });
    for s in &a[3..] {
        if let Err(e) = e.set(s) {
            eprintln!("{e}");
            std::process::exit(2)
        }
    }
    let o = lab::TrainOptions { runs: a[2].clone().into(), ..Default::default() };
    match lab::train(e, &o, &mut lab::Unwatched, &std::sync::atomic::AtomicBool::new(false)) {
        Ok(s) => println!("{}", serde_json::to_string(&s).unwrap()),
        Err(e) => {
            eprintln!("{e}");
            std::process::exit(2)
        }
    }
}
