// Where we are: the path and the query of the address, and how to get elsewhere without loading the page anew.

export const place = $state({ path: location.pathname, query: new URLSearchParams(location.search) });

function look() {
  place.path = location.pathname;
  place.query = new URLSearchParams(location.search);
}

/** Goes to an address within the app. */
export function go(address: string, how: 'push' | 'replace' = 'push') {
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', address);
  look();
  if (how === 'push') scrollTo(0, 0);
}

/** Lets links within the app work without loading the page anew. */
export function followLinks(event: MouseEvent) {
  const link = (event.target as Element).closest('a');
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute('download') || link.pathname.startsWith('/api/')) return;
  // Within the page, such as the link that skips to its content.
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

addEventListener('popstate', look);
