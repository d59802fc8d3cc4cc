//! The program `gamete`.

fn main() -> std::process::ExitCode {
    gamete::Program::new().run()
}
