// The router: the path and query of the address, and navigation without reloading the page.

export const route = $state({ path: location.pathname, query: new URLSearchParams(location.search) });

function readAddress() {
  route.path = location.pathname;
  route.query = new URLSearchParams(location.search);
}

/** Goes to an address within the app. */
export function go(address: string, how: 'push' | 'replace' = 'push') {
  history[how === 'push' ? 'pushState' : 'replaceState'](null, '', address);
  readAddress();
  if (how === 'push') scrollTo(0, 0);
}

/** Follows links within the app without reloading the page. */
export function followLinks(event: MouseEvent) {
  const link = (event.target as Element).closest('a');
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.target || link.hasAttribute('download') || link.pathname.startsWith('/api/')) return;
  // The browser follows links within a page itself, such as the one that skips to the content.
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

addEventListener('popstate', readAddress);
