// Addresses of files that this page can reach.

/**
 * An address under /files belongs to this service under any host name. It is made relative, because the content
 * security policy allows requests to no other host.
 */
export function reachable(url: string): string {
  if (!URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return /^\/files\/(?:[\w-]{43,65}|upload)\//.test(pathname) ? `${pathname}${search}` : url
}
