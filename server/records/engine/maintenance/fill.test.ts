// A fold begins a new fill between the start and the end of a batch. The position of the earlier fill is then invalid.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { buildTestService } from '../../../test/build-app.ts'
import { audit } from './audit.fixture.ts'
import { beginIndex } from './begin.ts'
import { demote } from './demote.ts'
import { fillNext } from './fill.ts'
import { waitUntilIndexed } from './finish.ts'
import { findWork, type ObjectKey, sealWork } from './work-store.ts'

const service = await buildTestService()
const { ctx } = service
const { db } = ctx

const OBJECT = { pluralName: 'Places', singularName: 'Place' }
/** Counted by value at first. */
const CITIES = { name: 'City', type: 'text' }
const NOTES = { name: 'Note', type: 'text' }

const attrOf = ({ org, obj }: ObjectKey, slug: string) =>
  db.value<number>(sql`select attr from attributes where org = ${org} and obj = ${obj} and slug = ${slug}`)

const demoteOne = async (object: ObjectKey, slug: string) => {
  const attr = await attrOf(object, slug)
  expect(await db.transaction((tx) => demote(tx, object, [attr]))).toBe(true)
  await sealWork(db, object)
}

/** An indexed object with ten records. The index of its notes is being filled. */
async function fillingNotes() {
  const org = await service.org()
  const { body } = await org.post<{ id: string }>('/objects', OBJECT)
  for (const attribute of [CITIES, NOTES]) await org.post('/objects/places/attributes', attribute)
  const object = await db.one<ObjectKey>(
    sql`select org, obj from objects where org = ${org.org} and id = ${body.id}`,
  )
  const records = Array.from({ length: 10 }, () => ({ data: { city: 'Bern', note: 'old' } }))
  await org.post('/objects/places/records/bulk', { records })
  expect(await beginIndex(db, object)).toBe(true)
  await waitUntilIndexed(ctx, object)
  await demoteOne(object, 'note')
  return object
}

test.each([
  ['a batch', 3],
  ['the end', 100],
])('%s of an earlier fill does not advance a later fill', async (_, limit) => {
  const object = await fillingNotes()
  const next = async () => {
    const work = await findWork(db, object)
    if (!work) throw new Error('Nothing is to be filled in')
    return () => db.transaction((tx) => fillNext(tx, object, work, limit))
  }
  await (await next())()
  const fill = await next()
  await demoteOne(object, 'city')
  await fill()
  expect(await audit(db, object)).toEqual([])
  await waitUntilIndexed(ctx, object)
  expect(await audit(db, object)).toEqual([])
})
