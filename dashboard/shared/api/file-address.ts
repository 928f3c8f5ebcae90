// Addresses of files, as this page reaches them.

/**
 * An address under /files is one of the service that this page is of, under any host name: the page's policy
 * lets it ask no other host.
 */
export function reachable(url: string): string {
  if (!URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return /^\/files\/(?:[\w-]{43,65}|upload)\//.test(pathname) ? `${pathname}${search}` : url
}
