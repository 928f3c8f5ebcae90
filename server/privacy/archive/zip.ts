// A ZIP file made while it is sent: no part of it is kept.
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'

export interface ZipEntry {
  name: string
  /** Whether it is worth packing: pictures and documents are packed already. */
  isText: boolean
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** @throws what reading an entry throws */
export async function* zipOf(
  entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>,
): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  const zip = new Zip((error, piece) => {
    if (error) throw error
    made.push(piece)
  })
  for await (const { name, isText, content } of entries) {
    const file = isText ? new ZipDeflate(name) : new ZipPassThrough(name)
    zip.add(file)
    for await (const piece of content) {
      file.push(piece)
      yield* made.splice(0)
    }
    file.push(new Uint8Array(), true)
    yield* made.splice(0)
  }
  zip.end()
  yield* made.splice(0)
}
