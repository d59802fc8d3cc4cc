//! Servers with TLS and credentials, servers that keep everything three times, and servers, networks and clocks that
//! fail. Tests that need the rights of root or more programs are ignored unless somebody asks for them.

use super::*;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nkeys::{KeyPair, KeyPairType};
use std::sync::{Arc, Mutex};

/// A short training whose games are shared.
const SHORT: &str = "minichess --seed 3 --generations 3 --set strategy.neat.population=16 --set schedule.circular.opponents=4 --set record.past_games=2 --set record.final_games=0";

fn run(program: &str, words: &str) {
    let output = Command::new(program).args(words.split_whitespace()).output();
    let output = output.unwrap_or_else(|error| panic!("{program} is needed: {error}"));
    assert!(output.status.success(), "{program} {words}: {}", String::from_utf8_lossy(&output.stderr));
}

/// What a process has said until now.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<String>>);

impl Said {
    /// Listens to the standard error of a process.
    fn of(process: &mut Running) -> Said {
        let said = Said::default();
        let (mut stderr, heard) = (process.0.stderr.take().unwrap(), said.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = stderr.read(&mut bytes) {
                heard.0.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        said
    }

    fn text(&self) -> String {
        self.0.lock().unwrap().clone()
    }

    #[track_caller]
    fn wait_for(&self, sentence: &str, seconds: u64) {
        let begun = Instant::now();
        while !self.text().contains(sentence) {
            assert!(begun.elapsed() < Duration::from_secs(seconds), "{sentence:?} is missing in {}", self.text());
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

fn start(mut command: Command) -> (Running, Said) {
    let mut process = Running(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap());
    let said = Said::of(&mut process);
    (process, said)
}

/// Waits until a process ends, and expects success.
#[track_caller]
fn ends_well(process: &mut Running, said: &Said, seconds: u64) {
    let begun = Instant::now();
    loop {
        if let Some(status) = process.0.try_wait().unwrap() {
            assert!(status.success(), "{status}: {}", said.text());
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(seconds), "it takes too long: {}", said.text());
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Makes an authority and a certificate for 127.0.0.1 in a folder.
fn certificates(folder: &Path) {
    let at = |name: &str| folder.join(name).display().to_string();
    let key = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2";
    run("openssl", &format!("{key} -subj /CN=gamete-test -keyout {} -out {}", at("ca-key.pem"), at("ca.pem")));
    let extensions = "-addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=critical,CA:FALSE";
    let authority = format!("-CA {} -CAkey {}", at("ca.pem"), at("ca-key.pem"));
    let files = format!("-keyout {} -out {}", at("server-key.pem"), at("server.pem"));
    run("openssl", &format!("{key} -subj /CN=127.0.0.1 {extensions} {authority} {files}"));
}

/// The server configuration that docs/cluster.md shows.
fn documented_configuration() -> String {
    let page = std::fs::read_to_string(workspace().join("docs/cluster.md")).unwrap();
    let block = page.split("```").find(|block| block.contains("# nats-server -c server.conf")).unwrap();
    block.split_once('\n').unwrap().1.to_string()
}

/// The subjects that the documentation lets a worker use: for publishing, and for subscriptions.
fn documented_permissions() -> [Vec<String>; 2] {
    let configuration = documented_configuration();
    ["publish: [", "subscribe: ["].map(|begin| {
        let list = configuration.split_once(begin).unwrap().1.split_once(']').unwrap().0;
        list.split('"').skip(1).step_by(2).map(str::to_string).collect()
    })
}

#[test]
fn the_documented_server_lets_workers_do_only_what_they_need() {
    let (mut nats, gamete) = (Nats::stopped(), Gamete::new());
    certificates(nats.folder.path());
    let folder = nats.folder.path().to_path_buf();
    let at = |name: &str| folder.join(name).display().to_string();
    let text = documented_configuration()
        .replace("0.0.0.0:4222", &format!("127.0.0.1:{}", nats.port))
        .replace("/var/lib/nats", &at("store"))
        .replace("/etc/nats/", &at(""))
        .replace("$COORDINATOR_PASSWORD", "\"first-secret\"")
        .replace("$WORKER_PASSWORD", "\"second-secret\"");
    std::fs::write(at("server.conf"), text).unwrap();
    nats.words = format!("-c {}", at("server.conf"));
    nats.start();
    let address = nats.address().replace("nats://", "tls://");
    let authority = at("ca.pem");
    let command = |user: &str, words: &str| {
        let mut command = gamete.command(words);
        let password = if user == "coordinator" { "first-secret" } else { "second-secret" };
        command.env("GAMETE_NATS_USER", user).env("GAMETE_NATS_PASSWORD", password).env("SSL_CERT_FILE", &authority);
        command
    };
    // 1. A server whose certificate is not known is refused, and so is a worker without a password.
    let mut stranger = command("worker", &format!("worker {address}"));
    let output = stranger.env("SSL_CERT_FILE", at("server-key.pem")).output().unwrap();
    check_refusal(&output, "a worker without the authority", &format!("cannot reach a NATS server at {address}"));
    let output = command("", &format!("worker {address}")).output().unwrap();
    check_refusal(&output, "a worker without a password", "refuses this user");
    // 2. The training and the lab are those of one machine.
    gamete.json(&format!("train {SHORT} --name alone"));
    let (_worker, said) = start(command("worker", &format!("worker {address} --threads 1 --name limited")));
    let output = command("coordinator", &format!("train {SHORT} --name shared --on {address}")).output().unwrap();
    assert!(output.status.success(), "{} {}", String::from_utf8_lossy(&output.stderr), said.text());
    check_equal(&gamete.folder().join("runs/alone.db"), &gamete.folder().join("runs/shared.db"));
    std::fs::write(gamete.folder().join("small.toml"), SMALL_LAB).unwrap();
    gamete.ok("lab run small.toml --out alone");
    let output = command("coordinator", &format!("lab run small.toml --out shared --on {address}")).output().unwrap();
    assert!(output.status.success(), "{} {}", String::from_utf8_lossy(&output.stderr), said.text());
    check_equal_labs(&gamete, "alone", "shared");
    // 3. A worker may not ask for tasks.
    let output = command("worker", &format!("train {SHORT} --name other --on {address}")).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!said.text().contains("secret"), "{}", said.text());
}

/// A JSON web token of NATS: claims about a key, signed by another key.
fn token(kind: &str, name: &str, subject: &KeyPair, signer: &KeyPair, more: Value) -> String {
    let mut nats = more;
    nats["type"] = kind.into();
    nats["version"] = 2.into();
    let claims = serde_json::json!({
        "jti": name, "iat": 1_700_000_000, "name": name, "iss": signer.public_key(), "sub": subject.public_key(), "nats": nats,
    });
    let encode = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", encode(&serde_json::json!({"typ": "JWT", "alg": "ed25519-nkey"})), encode(&claims));
    let signature = URL_SAFE_NO_PAD.encode(signer.sign(signed.as_bytes()).unwrap());
    format!("{signed}.{signature}")
}

#[test]
fn files_of_credentials_are_accepted() {
    let (mut nats, gamete) = (Nats::stopped(), Gamete::new());
    let key = |kind: KeyPairType, number: u8| KeyPair::new_from_raw(kind, [number; 32]).unwrap();
    let [operator, system, account, worker, coordinator, stranger] = [
        key(KeyPairType::Operator, 1),
        key(KeyPairType::Account, 2),
        key(KeyPairType::Account, 3),
        key(KeyPairType::User, 4),
        key(KeyPairType::User, 5),
        key(KeyPairType::User, 6),
    ];
    let limits = |storage: i64| {
        serde_json::json!({"limits": {
            "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
            "mem_storage": storage, "disk_storage": storage, "streams": -1, "consumer": -1,
        }})
    };
    let accounts = [("SYS", &system, limits(0)), ("GAMETE", &account, limits(-1))]
        .map(|(name, key, limits)| format!("{}: {}", key.public_key(), token("account", name, key, &operator, limits)));
    let configuration = format!(
        "operator: {}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{\n{}\n}}\njetstream {{ store_dir: \"{}\", max_file_store: 8GB }}\n",
        token("operator", "operator", &operator, &operator, serde_json::json!({})),
        system.public_key(),
        accounts.join("\n"),
        nats.folder.path().display(),
    );
    let file = nats.folder.path().join("server.conf");
    std::fs::write(&file, configuration).unwrap();
    nats.words = format!("-js -c {}", file.display());
    nats.start();
    let credentials = |name: &str, user: &KeyPair, signer: &KeyPair, publish: Option<[Vec<String>; 2]>| {
        let mut more = serde_json::json!({"subs": -1, "data": -1, "payload": -1});
        if let Some([publish, subscribe]) = publish {
            more["pub"]["allow"] = publish.into();
            more["sub"]["allow"] = subscribe.into();
        }
        let jwt = token("user", name, user, signer, more);
        let seed = user.seed().unwrap();
        let [jwt, seed] = [("NATS USER JWT", jwt), ("USER NKEY SEED", seed)]
            .map(|(what, text)| format!("-----BEGIN {what}-----\n{text}\n------END {what}------\n"));
        std::fs::write(gamete.folder().join(format!("{name}.creds")), format!("{jwt}\n{seed}")).unwrap();
    };
    credentials("worker", &worker, &account, Some(documented_permissions()));
    credentials("coordinator", &coordinator, &account, None);
    credentials("stranger", &stranger, &system, None);
    std::fs::write(gamete.folder().join("broken.creds"), "nothing").unwrap();
    let address = nats.address();
    gamete.refused(&format!("worker {address}"), "refuses this user");
    gamete.refused(&format!("worker {address} --creds broken.creds"), "broken.creds is not a file of NATS credentials");
    gamete.refused(&format!("worker {address} --creds stranger.creds"), "has no JetStream");
    gamete.json(&format!("train {SHORT} --name alone"));
    let (_worker, said) = start(gamete.command(&format!("worker {address} --threads 1 --creds worker.creds")));
    let words = format!("train {SHORT} --name shared --on {address} --creds coordinator.creds");
    let output = gamete.run(&words);
    assert!(output.status.success(), "{} {}", String::from_utf8_lossy(&output.stderr), said.text());
    check_equal(&gamete.folder().join("runs/alone.db"), &gamete.folder().join("runs/shared.db"));
}

/// `cargo test --release --test program -- --ignored one_of_three_servers`; three servers agree slowly on busy machines.
#[test]
#[ignore = "takes some minutes on busy machines"]
fn one_of_three_servers_may_die() {
    let gamete = Gamete::new();
    let routes = [(), (), ()].map(|()| free_port());
    let all: Vec<String> = routes.iter().map(|port| format!("nats://127.0.0.1:{port}")).collect();
    let mut servers = routes.map(|route| {
        let mut nats = Nats::stopped();
        let cluster = format!("--cluster_name gamete --cluster nats://127.0.0.1:{route} --routes {}", all.join(","));
        nats.words = format!("-js --server_name server-{route} {cluster}");
        nats.start();
        nats
    });
    let experiment = MINICHESS.replace("--generations 4", "--generations 20");
    gamete.json(&format!("train {experiment} --name alone"));
    let addresses: Vec<String> = servers.iter().map(Nats::address).collect();
    // The servers choose a leader first.
    let begun = Instant::now();
    while !gamete.run(&format!("workers {}", addresses[0])).status.success() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the servers do not find each other");
        std::thread::sleep(Duration::from_millis(200));
    }
    let worker =
        |place: usize| start(gamete.command(&format!("worker {} --threads 1 --name w{place}", addresses[place])));
    let _workers = [worker(0), worker(1)];
    let (mut coordinator, said) =
        start(gamete.command(&format!("train {experiment} --name shared --on {}", addresses[2])));
    let file = gamete.folder().join("runs/shared.db");
    while !file.exists() {
        assert!(begun.elapsed() < Duration::from_secs(120), "the training does not begin: {}", said.text());
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(coordinator.0.try_wait().unwrap().is_none(), "the training was over before a server was killed");
    assert_eq!(servers[0].stream_replicas(), [3, 3, 3]);
    servers[0].kill();
    ends_well(&mut coordinator, &said, 400);
    check_equal(&gamete.folder().join("runs/alone.db"), &file);
}

/// `cargo test --release --test program -- --ignored a_full_disk`, as root: it mounts a small file system.
#[test]
#[ignore = "needs the rights of root"]
fn a_full_disk_at_the_server_is_said_and_nothing_is_lost() {
    let (mut nats, gamete) = (Nats::stopped(), Gamete::new());
    let store = nats.folder.path().join("small");
    std::fs::create_dir(&store).unwrap();
    struct Mounted(PathBuf);
    impl Drop for Mounted {
        fn drop(&mut self) {
            let _ = Command::new("umount").args(["-l".as_ref(), self.0.as_os_str()]).status();
        }
    }
    run("mount", &format!("-t tmpfs -o size=6m tmpfs {}", store.display()));
    let _mounted = Mounted(store.clone());
    // The server believes that it has more room than there is.
    let file = nats.folder.path().join("server.conf");
    let text = format!("jetstream {{ store_dir: \"{}\", max_file_store: 8GB }}", store.display());
    std::fs::write(&file, text).unwrap();
    nats.words = format!("-c {}", file.display());
    nats.start();
    let experiment = MINICHESS.replace("--generations 4", "--generations 150");
    gamete.json(&format!("train {experiment} --name alone"));
    let _worker = nats.worker(&gamete, "a");
    let (mut coordinator, said) =
        start(gamete.command(&format!("train {experiment} --name shared --on {}", nats.address())));
    while !gamete.folder().join("runs/shared.db").exists() {
        std::thread::sleep(Duration::from_millis(50));
    }
    // Another program fills the disk.
    let filler = store.join("filler");
    let _ = Command::new("dd").args(["if=/dev/zero", "bs=64k", &format!("of={}", filler.display())]).output();
    said.wait_for("the NATS server refuses", 60);
    said.wait_for("trying again", 10);
    assert!(coordinator.0.try_wait().unwrap().is_none(), "{}", said.text());
    // Somebody makes room, and starts the server again, as its documentation asks for.
    std::fs::remove_file(filler).unwrap();
    nats.kill();
    nats.start();
    ends_well(&mut coordinator, &said, 300);
    check_equal(&gamete.folder().join("runs/alone.db"), &gamete.folder().join("runs/shared.db"));
}

/// Two namespaces with a cable between them, which can be pulled out.
struct Cable(String);

impl Cable {
    fn new() -> Cable {
        let name = format!("gm{}", std::process::id() % 100_000);
        let cable = Cable(name.clone());
        for side in ["a", "b"] {
            run("ip", &format!("netns add {name}{side}"));
        }
        run("ip", &format!("link add {name}x netns {name}a type veth peer name {name}y netns {name}b"));
        for (side, end, address) in [("a", "x", "10.213.0.1/24"), ("b", "y", "10.213.0.2/24")] {
            run("ip", &format!("-n {name}{side} addr add {address} dev {name}{end}"));
            run("ip", &format!("-n {name}{side} link set lo up"));
            run("ip", &format!("-n {name}{side} link set {name}{end} up"));
        }
        cable
    }

    fn set(&self, state: &str) {
        run("ip", &format!("-n {0}a link set {0}x {state}", self.0));
    }

    /// A command that runs on one side, `a` or `b`.
    fn on(&self, side: &str, command: &Command) -> Command {
        let mut inside = Command::new("ip");
        inside.args(["netns", "exec", &format!("{}{side}", self.0)]).arg(command.get_program());
        inside.args(command.get_args()).stdin(Stdio::null());
        if let Some(folder) = command.get_current_dir() {
            inside.current_dir(folder);
        }
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => inside.env(name, value),
                None => inside.env_remove(name),
            };
        }
        inside
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        for side in ["a", "b"] {
            let _ = Command::new("ip").args(["netns", "del", &format!("{}{side}", self.0)]).status();
        }
    }
}

/// `cargo test --release --test program -- --ignored a_network_partition`, as root: it makes network namespaces.
#[test]
#[ignore = "needs the rights of root"]
fn a_network_partition_loses_nothing() {
    let (cable, gamete) = (Cable::new(), Gamete::new());
    let folder = tempfile::tempdir().unwrap();
    let experiment = MINICHESS.replace("--generations 4", "--generations 150");
    gamete.json(&format!("train {experiment} --name alone"));
    let mut server = Command::new("nats-server");
    server.env("PATH", format!("{}:/usr/sbin:/usr/local/sbin", std::env::var("PATH").unwrap_or_default()));
    server.args(["-js", "-a", "10.213.0.1", "-p", "4222", "-sd"]).arg(folder.path());
    let (_server, _) = start(cable.on("a", &server));
    std::thread::sleep(Duration::from_secs(2));
    let address = "nats://10.213.0.1:4222";
    let worker =
        |side: &str| start(cable.on(side, &gamete.command(&format!("worker {address} --threads 1 --name {side}"))));
    // One worker can always reach the server; the other one and the coordinator are behind the cable.
    let (_near, _far) = (worker("a"), worker("b"));
    let words = format!("train {experiment} --name shared --on {address}");
    let (mut coordinator, said) = start(cable.on("b", &gamete.command(&words)));
    let mut pulled = 0;
    for _ in 0..3 {
        std::thread::sleep(Duration::from_secs(3));
        if coordinator.0.try_wait().unwrap().is_some() {
            break;
        }
        cable.set("down");
        pulled += 1;
        // Longer than the server waits for acknowledgements.
        std::thread::sleep(Duration::from_secs(13));
        cable.set("up");
    }
    ends_well(&mut coordinator, &said, 300);
    assert!(pulled > 0, "the training was over before the cable was pulled out");
    println!("pulled out {pulled} times");
    check_equal(&gamete.folder().join("runs/alone.db"), &gamete.folder().join("runs/shared.db"));
}

/// `cargo test --release --test program -- --ignored a_wrong_clock`; it needs Debian's package faketime.
#[test]
#[ignore = "needs faketime"]
fn a_wrong_clock_changes_nothing() {
    let (nats, gamete) = (Nats::new(), Gamete::new());
    gamete.json(&format!("train {SHORT} --name alone"));
    std::fs::write(gamete.folder().join("small.toml"), SMALL_LAB).unwrap();
    gamete.ok("lab run small.toml --out alone");
    // The program `faketime` would start a worker that outlives it.
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib"];
    let library = folders.iter().map(|folder| PathBuf::from(folder).join("faketime/libfaketimeMT.so.1"));
    let library =
        library.into_iter().find(|file| file.exists()).expect("faketime is needed: `apt-get install faketime`");
    let workers = ["-3y", "+40d x1.5"].map(|clock| {
        let mut command = gamete.command(&format!("worker {} --threads 1", nats.address()));
        command.env("LD_PRELOAD", &library).env("FAKETIME", clock);
        start(command)
    });
    gamete.json(&format!("train {SHORT} --name shared --on {} --verify 1", nats.address()));
    check_equal(&gamete.folder().join("runs/alone.db"), &gamete.folder().join("runs/shared.db"));
    gamete.ok(&format!("lab run small.toml --out shared --on {}", nats.address()));
    check_equal_labs(&gamete, "alone", "shared");
    assert!(workers.iter().all(|(_, said)| !said.text().contains("error")));
}

/// `cargo test --release --test program -- --ignored workers_of_slurm`; it needs Slurm, which
/// examples/cluster/slurm-on-one-machine.sh starts.
#[test]
#[ignore = "needs Slurm"]
fn workers_of_slurm_train_the_same_run() {
    let (nats, gamete) = (Nats::new(), Gamete::new());
    gamete.json(&format!("train {SHORT} --name alone"));
    // The file calls `gamete`, which must be in the path.
    let program = PathBuf::from(gamete.command("").get_program());
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let mut submit = Command::new("sbatch");
    submit
        .args(["--parsable", "--array=1-2", "--cpus-per-task=1"])
        .arg(workspace().join("examples/cluster/worker.sbatch"));
    submit.env("GAMETE_SERVER", nats.address()).env("PATH", path).current_dir(gamete.folder());
    let output = submit.output().expect("Slurm is needed: examples/cluster/slurm-on-one-machine.sh");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let job = String::from_utf8(output.stdout).unwrap().trim().to_string();
    let shared = gamete.run(&format!("train {SHORT} --name shared --on {} --json", nats.address()));
    let listed = gamete.ok(&format!("workers {} --json", nats.address()));
    run("scancel", &format!("--signal=INT --batch {job}"));
    assert!(shared.status.success(), "{}", String::from_utf8_lossy(&shared.stderr));
    assert!(listed.contains("\"name\":\"slurm-"), "{listed}");
    check_equal(&gamete.folder().join("runs/alone.db"), &gamete.folder().join("runs/shared.db"));
    // The workers have ended by themselves.
    let begun = Instant::now();
    while !gamete.ok(&format!("workers {}", nats.address())).is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(30), "a worker goes on after SIGINT");
    }
}

#[test]
fn manifests_for_kubernetes_have_the_documented_permissions() {
    let manifest = std::fs::read_to_string(workspace().join("examples/cluster/kubernetes.yaml")).unwrap();
    for subject in documented_permissions().concat() {
        assert!(manifest.contains(&format!("\"{subject}\"")), "{subject} is missing in kubernetes.yaml");
    }
}
