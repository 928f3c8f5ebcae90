// Responses that browsers save as a file or may display.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { BYTE_ORDER_MARK } from '../../contract/csv-text.ts'

/** RFC 6266: an ASCII name for all clients, and the exact name for clients that support it. */
export function disposition(kind: 'attachment' | 'inline', fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`
}

interface Attachment {
  fileName: string
  type: string
  content: Readable | Buffer
}

export const sendAttachment = (reply: FastifyReply, { fileName, type, content }: Attachment): FastifyReply =>
  reply.header('content-disposition', disposition('attachment', fileName)).type(type).send(content)

async function* marked(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK
  yield* texts
}

/** Streams a CSV file. Requests the next text only when the client has taken the last one. */
export const sendCsv = (
  reply: FastifyReply,
  { fileName, texts }: { fileName: string; texts: AsyncIterable<string> | Iterable<string> },
): FastifyReply =>
  sendAttachment(reply, {
    fileName,
    type: 'text/csv; charset=utf-8',
    content: Readable.from(marked(texts), { objectMode: false }),
  })
