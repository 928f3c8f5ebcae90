// Addresses whose percent signs do not make sense are looked up like any other: key first, then 404.
import type { IncomingMessage } from 'node:http'

function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/**
 * For Fastify's rewriteUrl: without it such requests are answered before any hook, so without the check of
 * the key, without X-Request-Id and without the headers of the rate.
 */
export function readableUrl({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (!path.includes('%') || isReadable(path)) return url
  return path.replaceAll('%', '%25') + (end === -1 ? '' : url.slice(end))
}
