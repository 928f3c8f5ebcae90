import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Db } from '../db/pool.ts'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { buildPlain, finishKeyChanges, keysOf, type Part, RECORDS } from './case.fixture.ts'
import { changeCase } from './case.ts'

const service = await sharedTestService()
const { db } = service.ctx

const build = (definition: object = {}) => buildPlain(service, definition)

describe('PATCH /objects/:objectId/attributes/:attributeId with isUnique', () => {
  test('makes values unique, and records can be found by them', async () => {
    const { org, path, add, tryToAdd, change } = await build()
    const id = await add('AB-1')
    await add(`Long${'x'.repeat(300)}`)
    await org.post(RECORDS, { data: {} })
    expectError(await org.get(`${RECORDS}/by/code/AB-1`), 'not_found')
    const before = await org.get(path)
    const changed = await change(true)
    expect(changed).toMatchObject({ status: 200, body: { isUnique: true, config: null } })
    expect(changed.headers.etag).not.toBe(before.headers.etag)
    expect(await org.get(path)).toMatchObject({ body: changed.body, headers: { etag: changed.headers.etag } })
    const refused = await tryToAdd('AB-1')
    expectError(refused, 'unique_violation')
    expect(refused.body).toMatchObject({ details: { attributeSlug: 'code', existingRecordId: id } })
    expect((await tryToAdd('ab-1')).status).toBe(201)
    expect((await org.get(`${RECORDS}/by/code/AB-1`)).body).toMatchObject({ id })
    const upserted = await org.put(`${RECORDS}/by/code/AB-1`, { data: { title: 'Bolt' } })
    expect(upserted.body).toMatchObject({ id, data: { code: 'AB-1', title: 'Bolt' } })
    // The request repeats the current state.
    expect(await change(true)).toMatchObject({ status: 200, body: changed.body })
  })

  test.each([
    ['number', 1.5, '1.50'],
    ['number', '12345678901234567890.5', '12345678901234567890.50'],
    ['email', 'Ada@Example.com', 'ada@example.COM'],
    ['date', '2026-11-27', '2026-11-27'],
    ['phone_number', '+1 555 867 5309', '+15558675309'],
    ['domain', 'https://www.acme.com/about', 'ACME.com'],
    ['url', 'https://example.com/a', 'https://example.com/a'],
    ['name', { firstName: 'Ada', lastName: 'Lovelace' }, 'Ada Lovelace'],
    ['text', 'Ada\u0308', 'Ad\u00e4'],
  ])('compares a stored %s like a new one: %j, %j', async (type, stored, same) => {
    const { add, tryToAdd, change } = await build({ type })
    const id = await add(stored)
    expect((await change(true)).status).toBe(200)
    const refused = await tryToAdd(same)
    expectError(refused, 'unique_violation')
    expect(refused.body).toMatchObject({ details: { existingRecordId: id } })
  })

  test('works for options, references, members, and elements of lists', async () => {
    const select = await build({ type: 'select', config: { options: ['A', 'B'] } })
    await select.add('A')
    expect((await select.change(true)).status).toBe(200)
    expectError(await select.tryToAdd('A'), 'unique_violation')
    const list = await build({ isList: true })
    await list.add(['a', 'b'])
    expect((await list.change(true)).status).toBe(200)
    expectError(await list.tryToAdd(['c', 'b']), 'unique_violation')
    const member = await build({ type: 'member' })
    await member.add(member.org.userId)
    expect((await member.change(true)).status).toBe(200)
    expectError(await member.tryToAdd(member.org.userId), 'unique_violation')
    const { body: people } = await select.org.get<{ id: string }>('/objects/people')
    const { body: ada } = await select.org.post<Part>('/objects/people/records', { data: { name: 'Ada' } })
    const holder = { name: 'Holder', type: 'reference', config: { allowed_object_id: people.id } }
    await select.org.post('/objects/parts/attributes', holder)
    const held = { data: { holder: ada.id } }
    await select.org.post(RECORDS, held)
    const path = '/objects/parts/attributes/holder'
    expect((await select.org.patch(path, { isUnique: true })).status).toBe(200)
    expectError(await select.org.post(RECORDS, held), 'unique_violation')
  })

  test('is refused if several records have the same value, and the error lists the values', async () => {
    const { org, path, add, tryToAdd, change } = await build()
    const ids = [await add('AB-1'), await add('AB-1'), await add('AB-1'), await add('x'), await add('x')]
    await add('other')
    await add('Other')
    const before = await org.get(path)
    const refused = await change(true)
    expectError(refused, 'duplicate_values')
    expect(refused.body).toMatchObject({
      message: 'Records share 2 values of code: change the values, or merge the records, then try again',
      details: {
        attributeSlug: 'code',
        total: 2,
        conflicts: [
          { values: ['AB-1'], recordIds: ids.slice(0, 3) },
          { values: ['x'], recordIds: ids.slice(3) },
        ],
      },
    })
    expect(await org.get(path)).toMatchObject({ body: before.body })
    expect(await keysOf(db, org)).toEqual([])
    expect((await tryToAdd('AB-1')).status).toBe(201)
    const key = await org.keyWith(['attributes:read', 'attributes:write'])
    const told = await org.patch<{ details: object }>(
      path,
      { isUnique: true },
      { authorization: `Bearer ${key}` },
    )
    expect(told.body.details).toEqual({ attributeSlug: 'code', total: 2 })
  })

  test('treats emails that differ only in case as equal', async () => {
    const { add, change } = await build({ type: 'email' })
    const ids = [await add('ada@example.com'), await add('Ada@Example.com')]
    const refused = await change(true)
    expectError(refused, 'duplicate_values')
    expect(refused.body.details).toMatchObject({
      conflicts: [{ values: ['Ada@Example.com', 'ada@example.com'], recordIds: ids }],
    })
  })

  test('makes values not unique, and unique again', async () => {
    const { org, add, tryToAdd, change } = await build({ isUnique: true, config: { caseSensitive: false } })
    const id = await add('AB-1')
    expect(await change(false)).toMatchObject({ status: 200, body: { isUnique: false, config: null } })
    expect(await keysOf(db, org)).toEqual([])
    expectError(await org.get(`${RECORDS}/by/code/AB-1`), 'not_found')
    const { body: second } = await tryToAdd('AB-1')
    expectError(await change(true), 'duplicate_values')
    expect((await org.patch(`${RECORDS}/${second.id}`, { data: { code: 'AB-2' } })).status).toBe(200)
    expect((await change(true)).body.isUnique).toBe(true)
    expectError(await org.patch(`${RECORDS}/${second.id}`, { data: { code: 'AB-1' } }), 'unique_violation')
    expect((await org.get(`${RECORDS}/by/code/AB-1`)).body).toMatchObject({ id })
  })

  test('works together with a new name, If-Match and Idempotency-Key', async () => {
    const { org, path, add } = await build()
    await add('a')
    const { headers } = await org.get(path)
    const body = { name: 'Number', isUnique: true }
    expectError(await org.patch(path, body, { 'if-match': '"old"' }), 'precondition_failed')
    const sent = { 'if-match': String(headers.etag), 'idempotency-key': 'one' }
    expect(await org.patch(path, body, sent)).toMatchObject({ status: 200, body })
    const again = await org.patch(path, body, sent)
    expect(again).toMatchObject({ status: 200, body, headers: { 'idempotent-replayed': 'true' } })
  })

  test('is refused for unsuitable types, built-in attributes, other organizations and two rules together', async () => {
    const { org, path } = await build({ type: 'checkbox' })
    const body = { isUnique: true }
    expectError(await org.patch(path, body), 'validation_error')
    expectError(await org.patch('/objects/people/attributes/phone', body), 'standard_object')
    expectError(await org.patch('/objects/people/attributes/email', { isUnique: false }), 'standard_object')
    expect((await org.patch('/objects/people/attributes/email', body)).status).toBe(200)
    expectError(await (await service.org()).patch(path, body), 'not_found')
    const reader = await org.keyWith(['attributes:read'])
    const refused = await org.patch(path, body, { authorization: `Bearer ${reader}` })
    expectError(refused, 'insufficient_scope')
    const text = await build()
    const both = { isUnique: true, config: { caseSensitive: false } }
    expectError(await text.org.patch(text.path, both), 'validation_error')
  })

  test('changes nothing if the request is refused', async () => {
    const { org, path } = await build()
    const before = (await org.get(path)).body
    expectError(await org.patch(path, { isUnique: true, name: 'a\u0000b' }), 'validation_error')
    expect((await org.get(path)).body).toEqual(before)
    const unique = await build({ isUnique: true })
    const config = { caseSensitive: false }
    expectError(await unique.org.patch(unique.path, { config, defaultValue: 'a' }), 'validation_error')
    expect((await unique.org.get(unique.path)).body).toMatchObject({ config: null })
  })

  test('a later change of the rule about case is refused', async () => {
    const { org, path, change } = await build({ isUnique: true })
    const config = { caseSensitive: false }
    const caller = { org: org.org, orgId: org.id, userId: org.userId, keyId: org.keyId }
    // Changes the attribute between its first read and the lock.
    let isBetween = true
    const transaction: typeof db.transaction = async (work) => {
      if (isBetween) {
        isBetween = false
        expect((await change(false)).status).toBe(200)
      }
      return db.transaction(work)
    }
    const ref = { objectId: 'parts', attributeId: String(path.split('/').at(-1)) }
    const changing = changeCase(
      { ...service.ctx, db: { ...db, transaction } },
      { ...caller, country: 'US', currency: 'USD' },
      { ...ref, ifMatch: undefined, config },
    )
    await expect(changing).rejects.toMatchObject({ code: 'validation_error' })
    expect((await org.get(path)).body).toMatchObject({ isUnique: false, config: null })
  })
})

/** A transaction from before a change, which is open until `end`. */
async function open() {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: opened, resolve } = Promise.withResolvers<Db>()
  const done = db.transaction(async (tx) => {
    await tx.run(sql`select`)
    resolve(tx)
    await ended
  })
  await opened
  return {
    async end() {
      end()
      await done
    },
  }
}

describe('during a change', () => {
  /** Waits until the change has begun and waits for older transactions. */
  async function untilSealed(isOne: Sql): Promise<void> {
    const isSealed = sql`
      select exists (
        select from case_changes c join attributes a on a.org = c.org and a.attr = c.attr
        where ${isOne} and c.since < 'infinity')`
    while (!(await db.value<boolean>(isSealed))) await new Promise(setImmediate)
  }

  /** Starts the change, which then waits for an older transaction. */
  async function begun(codes: readonly string[]) {
    const parts = await build()
    for (const code of codes) await parts.add(code)
    const older = await open()
    onTestFinished(older.end)
    const changing = parts.change(true)
    await untilSealed(sql`a.id = ${parts.path.split('/').at(-1)}`)
    return { ...parts, older, changing }
  }

  test('written values are unique, records are not found by them, and the attribute cannot be deleted', async () => {
    const { org, path, add, tryToAdd, older, changing } = await begun(['old'])
    const id = await add('new')
    expectError(await tryToAdd('new'), 'unique_violation')
    expectError(await org.get(`${RECORDS}/by/code/new`), 'not_found')
    const bulk = { mode: 'upsert', matchOn: 'code', records: [{ data: { code: 'new' } }] }
    expectError(await org.post(`${RECORDS}/bulk`, bulk), 'validation_error')
    expect((await org.get(path)).body).toMatchObject({ isUnique: false })
    expectError(await org.delete(path), 'wrong_state')
    await older.end()
    expect(await changing).toMatchObject({ status: 200, body: { isUnique: true } })
    expect((await org.get(`${RECORDS}/by/code/new`)).body).toMatchObject({ id })
  })

  test('a value of a record without a key may be written again, and the change is then refused', async () => {
    const { org, add, tryToAdd, older, changing } = await begun(['old'])
    const id = await add('old')
    await older.end()
    const refused = await changing
    expectError(refused, 'duplicate_values')
    expect(refused.body.details).toMatchObject({ conflicts: [{ values: ['old'] }] })
    await finishKeyChanges(service, org)
    expect(await keysOf(db, org)).toEqual([])
    expect((await org.patch(`${RECORDS}/${id}`, { data: { code: 'x' } })).status).toBe(200)
    expect((await tryToAdd('x')).status).toBe(201)
  })

  test('a merge is refused while references have no keys, and moves the references when it is repeated', async () => {
    const { org, older } = await begun([])
    await older.end()
    const person = async (name: string) =>
      (await org.post<Part>('/objects/people/records', { data: { name } })).body.id
    const [winnerId, loserId] = [await person('Ada'), await person('Bob')]
    const { body: people } = await org.get<{ id: string }>('/objects/people')
    const holder = { name: 'Holder', type: 'reference', config: { allowed_object_id: people.id } }
    await org.post('/objects/parts/attributes', holder)
    const { body } = await org.post<Part>(RECORDS, { data: { holder: loserId } })
    const path = '/objects/parts/attributes/holder'
    const before = await open()
    onTestFinished(before.end)
    const changing = org.patch(path, { isUnique: true })
    await untilSealed(sql`a.org = ${org.org} and a.slug = 'holder'`)
    const merge = () => org.post('/objects/people/records/merge', { winnerId, loserIds: [loserId] })
    expectError(await merge(), 'unavailable')
    await before.end()
    expect((await changing).status).toBe(200)
    expect((await merge()).status).toBe(200)
    expect((await org.get<Part>(`${RECORDS}/${body.id}`)).body.data).toEqual({ holder: winnerId })
  })

  test('the opposite change cancels it', async () => {
    const { org, add, change, older, changing } = await begun(['old'])
    const back = change(false)
    await older.end()
    expect(await back).toMatchObject({ status: 200, body: { isUnique: false } })
    expect((await changing).status).not.toBe(200)
    await finishKeyChanges(service, org)
    await add('old')
    expect(await keysOf(db, org)).toEqual([])
  })
})
