// Files for browser tests, and functions that drop and paste them.
import { crc32, deflateSync } from 'node:zlib'
import type { Locator } from 'playwright-core'

export interface GivenFile {
  name: string
  type: string
  bytes: Buffer
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A valid PNG: one color, with a lighter left half. */
export function png(
  name: string,
  [red, green, blue] = [40, 90, 200],
  [width, height] = [320, 240],
): GivenFile {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const light = (color: number) => Math.min(255, color + 60)
  const pixels = Array.from({ length: width }, (_, x) =>
    x < width / 2 ? [light(red), light(green), light(blue)] : [red, green, blue],
  ).flat()
  const line = Buffer.from([0, ...pixels])
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const bytes = Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return { name, type: 'image/png', bytes }
}

export const text = (name: string, bytes = 20): GivenFile => ({
  name,
  type: 'text/plain',
  bytes: Buffer.alloc(bytes, 'x'),
})

/** A minimal PDF document with one page. */
export function pdf(name: string): GivenFile {
  const content = 'BT /F1 24 Tf 40 100 Td (The offer) Tj ET'
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  const body = objects.map((object, index) => `${index + 1} 0 obj${object}endobj\n`).join('')
  const bytes = Buffer.from(`%PDF-1.4\n${body}trailer<</Root 1 0 R/Size 6>>\n%%EOF`, 'latin1')
  return { name, type: 'application/pdf', bytes }
}

/** Globals that exist only in the browser. */
interface InBrowser {
  DataTransfer: new () => { items: { add(file: File): void } }
  ClipboardEvent: new (type: string, init: object) => Event
  DragEvent: new (type: string, init: object) => Event
}

type Gesture = 'dragenter' | 'drop' | 'paste'

/** Dispatches the events that a browser sends when files are dragged, dropped or pasted. */
export async function bring(
  place: Locator,
  files: readonly GivenFile[],
  ...gestures: Gesture[]
): Promise<void> {
  const given = files.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString('base64') }))
  await place.evaluate(
    (element, { given, gestures }) => {
      const { DataTransfer, ClipboardEvent, DragEvent } = globalThis as unknown as InBrowser
      const dataTransfer = new DataTransfer()
      for (const { name, type, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
        dataTransfer.items.add(new File([bytes], name, { type }))
      }
      const init = { bubbles: true, cancelable: true }
      for (const gesture of gestures)
        element.dispatchEvent(
          gesture === 'paste'
            ? new ClipboardEvent(gesture, { ...init, clipboardData: dataTransfer })
            : new DragEvent(gesture, { ...init, dataTransfer }),
        )
    },
    { given, gestures },
  )
}

export const drop = (place: Locator, ...files: GivenFile[]) => bring(place, files, 'dragenter', 'drop')
export const paste = (place: Locator, ...files: GivenFile[]) => bring(place, files, 'paste')
