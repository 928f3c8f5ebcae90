// All data of a record as one archive: JSON, its files, and a page with its content. The data is read while it is sent,
// a page of rows at a time, because a record may have any number of events.
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { Caller } from '../../base/caller.ts'
import type { Context } from '../../context.ts'
import type { FileRow } from '../../files/store.ts'
import { requirePrivacySubject } from '../preview.ts'
import { insertArchive } from '../store.ts'
import { selectMerged } from '../subjects.ts'
import { type Archived, archivedFiles, LISTS, type List, pagesOf } from './store.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

const fileName = ({ id, path }: FileRow) =>
  `files/${id}-${basename(path).replaceAll(/[^\p{L}\p{N}._-]/gu, '_')}`

interface Source {
  ctx: Pick<Context, 'db' | 'files'>
  of: Archived
  /** The number of rows of each list that was sent. */
  counts: Map<string, number>
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text)
}

/** One JSON array with the rows of all pages. */
async function* listText({ ctx, of, counts }: Source, name: string, list: List): AsyncGenerator<string> {
  let rows = 0
  yield '['
  for await (const { json, count } of pagesOf(ctx.db, of, list)) {
    yield `${rows === 0 ? '' : ',\n'}${json.slice(1, -1)}`
    rows += count
  }
  yield ']'
  counts.set(name, rows)
}

interface ArchivedRecord {
  id: string
  data: Record<string, unknown>
}

const recordRows = ({ id, data }: ArchivedRecord): string => {
  const values = Object.entries(data).map(([slug, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `<tr><td>${escapeHtml(slug)}</td><td>${escapeHtml(text)}</td></tr>`
  })
  return [`<tr><th colspan="2">${id}</th></tr>`, ...values].join('\n')
}

/** The values of the records, then the list of the other content. */
async function* indexText({ ctx, of, counts }: Source): AsyncGenerator<string> {
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Archive of a record</title></head><body>
<h1>Archive of a record</h1>
<table>`
  const list = LISTS.get('records')
  if (list)
    for await (const { json } of pagesOf(ctx.db, of, list))
      yield (JSON.parse(json) as ArchivedRecord[]).map(recordRows).join('\n')
  const contents = [...counts].map(
    ([name, rows]) => `<li><a href="${name}.json">${name}.json</a>: ${rows}</li>`,
  )
  yield `</table>
<h2>Data</h2><ul>${contents.join('\n')}</ul>
<h2>Files</h2><ul>`
  for await (const file of archivedFiles(ctx.db, of)) {
    const name = escapeHtml(fileName(file))
    yield `<li><a href="${name}">${name}</a></li>\n`
  }
  yield '</ul>\n</body></html>\n'
}

interface ZipEntry {
  name: string
  /** Whether compression is useful: pictures and documents are already compressed. */
  isText: boolean
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** A ZIP file that is made while it is sent: no part of it is kept. @throws the error of reading an entry */
async function* zipOf(entries: AsyncIterable<ZipEntry> | Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
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

/** Leaves out files that were removed in between. The index comes last, because it lists what was sent. */
async function* entriesOf(source: Source): AsyncGenerator<ZipEntry> {
  const { ctx, of } = source
  for (const [name, list] of LISTS)
    yield { name: `${name}.json`, isText: true, content: bytesOf(listText(source, name, list)) }
  for await (const file of archivedFiles(ctx.db, of)) {
    const content = await ctx.files.get(file)
    if (content) yield { name: fileName(file), isText: false, content }
  }
  yield { name: 'index.html', isText: true, content: bytesOf(indexText(source)) }
}

/** An error during sending ends the response, which is then no valid archive. @throws 404 not_found */
export async function archiveRecord(
  ctx: Context,
  caller: Caller,
  place: { objectId: string; recordId: string },
): Promise<{ fileName: string; content: Readable }> {
  const { model, id } = await requirePrivacySubject(ctx, caller.org, place)
  const { org, obj } = model
  const of = { org, obj, ids: await selectMerged(ctx.db, model, id) }
  await insertArchive(ctx.db, caller, { obj, objectId: model.id, recordId: id })
  const entries = entriesOf({ ctx, of, counts: new Map() })
  return {
    fileName: `${model.slug}-${id}.zip`,
    content: Readable.from(zipOf(entries), { objectMode: false }),
  }
}
