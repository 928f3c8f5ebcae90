// Everything about a record as one archive: JSON, its files, and a page that says what is in it.
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { Caller, Context } from '../../context.ts'
import type { FileRow } from '../../files/store.ts'
import { requireSubject } from '../preview.ts'
import { insertArchive } from '../store.ts'
import { selectMerged } from '../subjects.ts'
import { type ArchivedList, LISTS, selectFiles, selectList } from './store.ts'
import { type ZipEntry, zipOf } from './zip.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

const textEntry = (name: string, text: string): ZipEntry => ({
  name,
  isText: true,
  content: [Buffer.from(text)],
})

type Lists = ReadonlyMap<string, ArchivedList>

const fileName = ({ id, path }: FileRow) =>
  `files/${id}-${basename(path).replaceAll(/[^\p{L}\p{N}._-]/gu, '_')}`

/** Values of the newest version first, then what else is in the archive. */
function indexPage(lists: Lists, files: readonly FileRow[]): string {
  const records = JSON.parse(lists.get('records')?.json ?? '[]') as {
    id: string
    data: Record<string, unknown>
  }[]
  const values = records.flatMap(({ id, data }) => [
    `<tr><th colspan="2">${id}</th></tr>`,
    ...Object.entries(data).map(([slug, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `<tr><td>${escapeHtml(slug)}</td><td>${escapeHtml(text)}</td></tr>`
    }),
  ])
  const contents = [...lists].map(
    ([name, { count, isComplete }]) =>
      `<li><a href="${name}.json">${name}.json</a>: ${isComplete ? count : `the first ${count}`}</li>`,
  )
  const links = files.map((file) => {
    const name = escapeHtml(fileName(file))
    return `<li><a href="${name}">${name}</a></li>`
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Archive of a record</title></head><body>
<h1>Archive of a record</h1>
<table>${values.join('\n')}</table>
<h2>Data</h2><ul>${contents.join('\n')}</ul>
<h2>Files</h2><ul>${links.join('\n')}</ul>
</body></html>
`
}

/** A file that was removed meanwhile is left out. */
async function* entriesOf(
  { files: storage }: Pick<Context, 'files'>,
  lists: Lists,
  files: readonly FileRow[],
): AsyncGenerator<ZipEntry> {
  yield textEntry('index.html', indexPage(lists, files))
  for (const [name, { json }] of lists) yield textEntry(`${name}.json`, json)
  for (const file of files) {
    const content = await storage.get(file)
    if (content) yield { name: fileName(file), isText: false, content }
  }
}

/** The database is read before the first byte is sent. @throws 404 not_found */
export async function archiveRecord(
  ctx: Context,
  caller: Caller,
  place: { objectId: string; recordId: string },
): Promise<{ fileName: string; content: Readable }> {
  const { model, id } = await requireSubject(ctx, caller.org, place)
  const { org, obj } = model
  const of = { org, obj, ids: await selectMerged(ctx.db, model, id) }
  const lists = new Map<string, ArchivedList>()
  for (const [name, queryOf] of Object.entries(LISTS)) lists.set(name, await selectList(ctx.db, queryOf(of)))
  const files = await selectFiles(ctx.db, of)
  await insertArchive(ctx.db, caller, { obj, objectId: model.id, recordId: id })
  const content = Readable.from(zipOf(entriesOf(ctx, lists, files)), { objectMode: false })
  return { fileName: `${model.slug}-${id}.zip`, content }
}
