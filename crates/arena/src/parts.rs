//! Lists of interchangeable parts of an experiment: who meets whom, what a score is made of. Each part is a file that
//! describes itself, and a name in its list.

/// Makes the enum of all parts of a kind from the list of their types. Every type has an `INFO`; in experiments it is
/// the table of its kebab-case name.
macro_rules! parts {
    ($(#[$about:meta])* $config:ident, $contract:ident, $info:ident: $($name:ident($part:ty)),+ $(,)?) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case")]
        #[allow(missing_docs, reason = "each type says what it is")]
        pub enum $config {
            $($name($part)),+
        }

        impl $config {
            /// All there are, in words.
            pub const ALL: &'static [$info] = &[$(<$part>::INFO),+];

            /// The one that was chosen, in words.
            pub fn info(&self) -> $info {
                match self {
                    $($config::$name(_) => <$part>::INFO),+
                }
            }

            /// The one that was chosen.
            pub fn part(&self) -> &dyn $contract {
                match self {
                    $($config::$name(part) => part),+
                }
            }

            /// The keys of the one of that name, in words.
            pub fn keys(name: &str) -> Option<&'static [games::Described]> {
                Self::ALL.iter().find(|info| info.name == name).map(|info| info.keys)
            }
        }
    };
}
pub(crate) use parts;

/// The part of that name as JSON, with some value for each key, so that tests can make any part.
#[cfg(test)]
pub(crate) fn written(name: &str, keys: &[games::Described]) -> String {
    let values: Vec<String> = keys.iter().map(|key| format!("{:?}: {}", key.key, key.allowed.example())).collect();
    format!("{{ {name:?}: {{ {} }} }}", values.join(", "))
}
