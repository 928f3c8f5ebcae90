// Requests that are not HTTP, or whose address cannot be read: answered in the documented shape all the same.
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { type AppError, invalidField } from '../errors.ts'
import { errorBody } from './render-errors.ts'

const LINES: Record<string, { line: string; error: () => AppError }> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    error: () => invalidField('', 'headers_too_large', 'The headers are larger than 16 KiB'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    line: '408 Request Timeout',
    error: () => invalidField('', 'timeout', 'The request was not sent in time'),
  },
}
const MALFORMED = {
  line: '400 Bad Request',
  error: () => invalidField('', 'malformed_request', 'This is not a valid HTTP request'),
}

/** The server's clientError handler: the connection cannot be used again. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const { line, error: make } = LINES[error.code ?? ''] ?? MALFORMED
  const requestId = randomUUID()
  const body = JSON.stringify(errorBody(make(), requestId))
  socket.end(
    `HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
