// The colour theme: light, dark, or that of the system. The browser remembers the choice.

const NAMES = ['system', 'light', 'dark'] as const;
type Name = (typeof NAMES)[number];
const SIGNS: Record<Name, string> = { system: '◐', light: '☀', dark: '☾' };

function remembered(): Name {
  const found = localStorage.getItem('theme');
  return NAMES.find((name) => name === found) ?? 'system';
}

let name = $state<Name>(remembered());
const system = matchMedia('(prefers-color-scheme: dark)');
let systemDark = $state(system.matches);
system.addEventListener('change', () => (systemDark = system.matches));

function apply() {
  if (name === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}
apply();

export const theme = {
  get name() {
    return name;
  },
  get sign() {
    return SIGNS[name];
  },
  /** Whether the page is dark now. Canvas drawings need to know. */
  get dark() {
    return name === 'dark' || (name === 'system' && systemDark);
  },
  next() {
    name = NAMES[(NAMES.indexOf(name) + 1) % NAMES.length] ?? 'system';
    localStorage.setItem('theme', name);
    apply();
  },
};
