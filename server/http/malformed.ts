// Answers requests that are not valid HTTP, or whose path cannot be decoded, in the documented error format.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type AppError, invalidField } from '../base/errors.ts'
import type { Admission } from './admission.ts'
import { errorBody } from './render-errors.ts'

const LINES: Record<string, { line: string; error: () => AppError }> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    error: () =>
      invalidField('', 'headers_too_large', 'The headers are larger than 16 KiB: send fewer or shorter ones'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    error: () => invalidField('', 'timeout', 'The request was not sent in time: send it again, and faster'),
  },
}
const MALFORMED = {
  line: '400 Bad Request',
  error: () =>
    invalidField(
      '',
      'malformed_request',
      'This is not a valid HTTP request: use a client that follows HTTP/1.1',
    ),
}

/** The rate limit headers; empty if the request could not be counted for the address. */
async function windowHeaders(admission: Admission, address: string): Promise<string> {
  try {
    const { window } = await admission.admit(undefined, address)
    return `X-RateLimit-Limit: ${window.limit}\r\nX-RateLimit-Remaining: ${window.remaining}\r\nX-RateLimit-Reset: ${window.resetAt}\r\n`
  } catch {
    return ''
  }
}

/** The server's clientError handler. The request counts for its address, and the connection is closed. */
export const answerMalformed =
  (admission: Admission) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    // A connection without a request gets no response: browsers open such connections in advance.
    const isUnused = socket.bytesRead === 0
    if (error.code === 'ECONNRESET' || isUnused || !socket.writable) return void socket.destroy()
    void windowHeaders(admission, socket.remoteAddress ?? '').then((headers) =>
      endWith(socket, error.code, headers),
    )
  }

/** @param headers further header lines, each with its line end */
export function endWith(socket: Socket, code: string | undefined, headers: string): void {
  const { line, error: make } = LINES[code ?? ''] ?? MALFORMED
  endWithError(socket, line, make(), headers)
}

/** Sends an error outside any request, and closes the connection. @param line status code and text */
export function endWithError(socket: Socket, line: string, error: AppError, headers = ''): void {
  if (!socket.writable) return void socket.destroy()
  const requestId = randomUUID()
  const body = JSON.stringify(errorBody(error, requestId))
  const retryAfter = error.details?.['retryAfter']
  const all = `${headers}${retryAfter === undefined ? '' : `Retry-After: ${retryAfter}\r\n`}`
  socket.end(
    `HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\n${all}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** Whether all percent-encoding is valid UTF-8. */
export function isReadable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * For Fastify's rewriteUrl: makes a path that cannot be decoded routable. Otherwise Fastify would answer before all
 * hooks: without a check of the key, X-Request-Id and the rate limit headers.
 */
export function readableUrl({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (!path.includes('%') || isReadable(path)) return url
  return path.replaceAll('%', '%25') + (end === -1 ? '' : url.slice(end))
}
