import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { TimeLimitError } from '../db/lease.ts'
import type { Db } from '../db/pool.ts'
import { lower } from '../records/filters/comparable.ts'
import { withoutCase } from '../records/values/unique-keys.ts'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { buildParts, finishKeyChanges, keysOf, RECORDS } from './case.fixture.ts'
import { changeCase } from './case.ts'
import { selectSameValues } from './key-store.ts'

const service = await sharedTestService()
const { db } = service.ctx

describe('POST /objects/:objectId/attributes', () => {
  test('case counts unless the attribute ignores it', async () => {
    const { org, path, add, tryToAdd } = await buildParts(service, null)
    expect((await org.get<{ config: unknown }>(path)).body.config).toBeNull()
    await add('AB-1')
    expect((await tryToAdd('ab-1')).status).toBe(201)
    const same = await buildParts(service, { caseSensitive: false })
    expect((await same.org.get(same.path)).body).toMatchObject({ config: { caseSensitive: false } })
    const id = await same.add('AB-1')
    const refused = await same.tryToAdd('ab-1')
    expectError(refused, 'unique_violation')
    expect(refused.body).toMatchObject({ details: { attributeSlug: 'code', existingRecordId: id } })
  })

  test.each([
    [
      { type: 'text', isUnique: false, config: { caseSensitive: false } },
      'config: must be null or omitted for an attribute that is not unique',
    ],
    [
      { type: 'email', isUnique: true, config: { caseSensitive: false } },
      'config: must be null or omitted for an attribute of type email',
    ],
    [
      { type: 'text', isUnique: true, config: { caseSensitive: 'no' } },
      'config.caseSensitive: must be true or false',
    ],
    [{ type: 'text', isUnique: true, config: {} }, 'config.caseSensitive: is required'],
  ])('refuses %j', async (definition, message) => {
    const org = await service.org()
    const refused = await org.post('/objects/people/attributes', { name: 'Code', ...definition })
    expectError(refused, 'validation_error')
    expect((refused.body as { message: string }).message).toContain(message)
  })
})

describe('values of an attribute that ignores case', () => {
  const SAME: readonly [string, string][] = [
    ['Straße', 'STRAẞE'],
    ['ΟΔΟΣ', 'οδος'],
    ['Ärger', 'ÄRGER'],
    ['ДОМ', 'дом'],
    ['I', 'i'],
    [`X${'y'.repeat(300)}`, `x${'Y'.repeat(300)}`],
    ['sha256:A', 'SHA256:a'],
    ['sha256:lower:A', 'sha256:lower:a'],
  ]
  const DIFFERENT: readonly [string, string][] = [
    ['Straße', 'STRASSE'],
    ['ı', 'I'],
    ['İ', 'I'],
    ['é', 'e'],
    ['sha256:lower:a', 'a'],
  ]

  test.each(SAME)('%s and %s are equal', async (one, other) => {
    const { add, tryToAdd } = await buildParts(service, { caseSensitive: false })
    await add(one)
    expectError(await tryToAdd(other), 'unique_violation')
  })

  test.each(DIFFERENT)('%s and %s are different', async (one, other) => {
    const { add, tryToAdd } = await buildParts(service, { caseSensitive: false })
    await add(one)
    expect((await tryToAdd(other)).status).toBe(201)
  })

  test('the database and the service fold case in the same way', async () => {
    const texts = [...SAME, ...DIFFERENT, ['ΑΣ ΑΣΑ ΣΑ Σ', 'ǅ ﬁ ŉ ᾳ ᏸ Ꭰ'], ['DŽ', 'ẞß']].flat()
    const folded = await db.many<{ text: string }>(
      sql`select ${lower(sql`t.text`)} as text from unnest(${texts}::text[]) with ordinality as t(text, place) order by t.place`,
    )
    expect(folded.map(({ text }) => text)).toEqual(texts.map(withoutCase))
  })

  test('are compared for names, URLs, and elements of lists; a record keeps the first of equal elements', async () => {
    const name = await buildParts(service, { caseSensitive: false }, { type: 'name' })
    await name.add('Ada Lovelace')
    expectError(await name.tryToAdd({ firstName: 'ADA', lastName: 'LOVELACE' }), 'unique_violation')
    const url = await buildParts(service, { caseSensitive: false }, { type: 'url' })
    await url.add('https://example.com/in/Ada')
    expectError(await url.tryToAdd('https://example.com/in/ada'), 'unique_violation')
    const list = await buildParts(service, { caseSensitive: false }, { isList: true })
    expect((await list.tryToAdd(['Vip', 'VIP', 'eu'])).body.data).toEqual({ code: ['Vip', 'eu'] })
    expectError(await list.tryToAdd(['x', 'EU']), 'unique_violation')
  })
})

describe('PATCH /objects/:objectId/attributes/:attributeId', () => {
  test('switches to ignoring case, and records are then found in any case', async () => {
    const { org, path, add, tryToAdd, change } = await buildParts(service, null)
    const id = await add('AB-1')
    await add(`Long${'x'.repeat(300)}`)
    await org.post(RECORDS, { data: {} })
    const changed = await change(false)
    expect(changed).toMatchObject({ status: 200, body: { config: { caseSensitive: false } } })
    expectError(await tryToAdd('ab-1'), 'unique_violation')
    expectError(await tryToAdd(`LONG${'X'.repeat(300)}`), 'unique_violation')
    expect((await org.get(`${RECORDS}/by/code/ab-1`)).body).toMatchObject({ id, data: { code: 'AB-1' } })
    expect((await keysOf(db, org))[0]).toBe('0 sha256:lower:ab-1')
    expect((await org.get(path)).headers.etag).toBe(changed.headers.etag)
    // Filters still compare as before.
    const filter = { attributeSlug: 'code', operator: 'equals', value: 'ab-1' }
    expect((await org.post(`${RECORDS}/search`, { filter })).body).toMatchObject({ records: [] })
  })

  test('is refused if values differ only in case, and the error lists them', async () => {
    const { org, path, add, tryToAdd, change } = await buildParts(service, null)
    const ids = [await add('AB-1'), await add('ab-1'), await add('Ab-1'), await add('x'), await add('X')]
    await add('other')
    const before = await org.get(path)
    const keys = await keysOf(db, org)
    const refused = await change(false)
    expectError(refused, 'case_conflict')
    expect(refused.body).toMatchObject({
      message: expect.stringMatching(/^Records have 2 values of code in different cases/),
      details: {
        attributeSlug: 'code',
        total: 2,
        conflicts: [
          { values: ['AB-1', 'Ab-1', 'ab-1'], recordIds: ids.slice(0, 3) },
          { values: ['X', 'x'], recordIds: ids.slice(3) },
        ],
      },
    })
    expect(await org.get(path)).toMatchObject({ body: before.body })
    expect(await keysOf(db, org)).toEqual(keys)
    expect((await tryToAdd('aB-1')).status).toBe(201)
  })

  test('limits the list of values, and includes the total', async () => {
    const { org, change } = await buildParts(service, null)
    const codes = Array.from({ length: 25 }, (_, index) => [`a${index}`, `A${index}`]).flat()
    await org.post(`${RECORDS}/bulk`, { records: codes.map((code) => ({ data: { code } })) })
    const { details } = (await change(false)).body
    expect(details).toMatchObject({ total: 25 })
    expect(details['conflicts']).toHaveLength(20)
  })

  test.each([true, false])('reads values once for the list, with isList %j', async (isList) => {
    const { org, path } = await buildParts(service, null, { isList })
    const codes = Array.from({ length: 25 }, (_, index) => [`a${index}`, `A${index}`]).flat()
    const records = codes.map((code) => ({ data: { code: isList ? [code] : code } }))
    await org.post(`${RECORDS}/bulk`, { records })
    const asked = await db.one<{ obj: number; slug: string; type: 'text' }>(
      sql`select obj, slug, type from attributes where id = ${path.split('/').at(-1)}`,
    )
    const plan = await db.snapshot(async (tx) => {
      // Forces the plan for more records, with which the list takes longest.
      await tx.run(sql`set local enable_nestloop = off`)
      const explained = {
        ...tx,
        many: <Row>(query: Sql) => tx.many<Row>(sql`explain (analyze, format json) ${query}`),
      }
      return JSON.stringify(
        await selectSameValues(explained, { ...asked, org: org.org, isList, ignoresCase: true }),
      )
    })
    const scans = plan.matchAll(/"CTE Name":"keyed".*?"Actual Loops":(\d+)/g)
    // One scan to find the values, and one for their records.
    expect(scans.map(([, loops]) => loops).toArray(), plan).toEqual(['1', '1'])
  })

  test('starts the change and refuses it without a list if listing the values takes too long', async () => {
    const { org, path, add, tryToAdd } = await buildParts(service, null)
    const late = { ...service.ctx, db: { ...db, within: () => Promise.reject(new TimeLimitError(1, false)) } }
    const caller = { org: org.org, orgId: org.id, userId: org.userId, keyId: org.keyId }
    const ref = { objectId: 'parts', attributeId: String(path.split('/').at(-1)) }
    const config = { caseSensitive: false }
    const change = () =>
      changeCase(late, { ...caller, country: 'US', currency: 'USD' }, { ...ref, ifMatch: undefined, config })
    const other = await add('AB-1').then(() => add('ab-1'))
    await expect(change()).rejects.toMatchObject({
      ...{ code: 'case_conflict', details: { attributeSlug: 'code' } },
      message:
        'Records have values of code in different cases: change the values, or merge the records, then try again',
    })
    await finishKeyChanges(service, org)
    expect((await org.patch(`${RECORDS}/${other}`, { data: { code: 'x' } })).status).toBe(200)
    expect(await change()).toBe(true)
    expectError(await tryToAdd('X'), 'unique_violation')
  })

  test('lists only the total for a key that may not read records', async () => {
    const { org, path, add } = await buildParts(service, null)
    await add('a')
    await add('A')
    const key = await org.keyWith(['attributes:read', 'attributes:write'])
    const authorization = `Bearer ${key}`
    const body = { config: { caseSensitive: false } }
    const refused = await org.patch<{ details: object }>(path, body, { authorization })
    expect(refused.body.details).toEqual({ attributeSlug: 'code', total: 1 })
  })

  test('switches back to counting case', async () => {
    const { org, tryToAdd, add, change } = await buildParts(service, { caseSensitive: false })
    const id = await add('AB-1')
    expect(await change(true)).toMatchObject({ status: 200, body: { config: { caseSensitive: true } } })
    expect((await tryToAdd('ab-1')).status).toBe(201)
    expectError(await tryToAdd('AB-1'), 'unique_violation')
    expect((await org.get(`${RECORDS}/by/code/AB-1`)).body).toMatchObject({ id })
    expect(await keysOf(db, org)).toEqual(['0 AB-1', '1 ab-1'])
    expectError(await change(false), 'case_conflict')
  })

  test('allows a list with one value in two cases in one record', async () => {
    const { org, add, tryToAdd, change } = await buildParts(service, null, { isList: true })
    await add(['a', 'A'])
    expect((await change(false)).status).toBe(200)
    expectError(await tryToAdd(['A']), 'unique_violation')
    expect(await keysOf(db, org)).toEqual(['0 sha256:lower:a'])
  })

  test('works together with a new name, If-Match and Idempotency-Key', async () => {
    const { org, path, add } = await buildParts(service, null)
    await add('a')
    const { headers } = await org.get(path)
    const body = { name: 'Number', config: { caseSensitive: false } }
    expectError(await org.patch(path, body, { 'if-match': '"old"' }), 'precondition_failed')
    const sent = { 'if-match': String(headers.etag), 'idempotency-key': 'one' }
    const changed = await org.patch(path, body, sent)
    expect(changed).toMatchObject({ status: 200, body })
    const again = await org.patch(path, body, sent)
    expect(again).toMatchObject({ status: 200, body, headers: { 'idempotent-replayed': 'true' } })
    // The request repeats the current state.
    expect(await org.patch(path, { config: body.config })).toMatchObject({ status: 200, body })
  })

  test('is refused for an attribute without a rule about case', async () => {
    const { org, path } = await buildParts(service, null, { isUnique: false })
    const config = { caseSensitive: false }
    expectError(await org.patch(path, { config }), 'validation_error')
    expectError(await org.patch('/objects/people/attributes/email', { config }), 'validation_error')
    const other = await service.org()
    expectError(await other.patch(path, { config }), 'not_found')
  })
})

/** A separate transaction that is open until `end`, which rolls it back. */
async function open() {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: opened, resolve } = Promise.withResolvers<Db>()
  const undone = new Error('undone')
  const done = db
    .transaction(async (tx) => {
      await tx.run(sql`select`)
      resolve(tx)
      await ended
      throw undone
    })
    .catch((error: unknown) => expect(error).toBe(undone))
  const tx = await opened
  return {
    run: (statement: Sql) => tx.run(statement),
    async end() {
      end()
      await done
    },
  }
}

/** Waits until the condition holds, for a known state of another connection. */
async function until(question: Sql): Promise<void> {
  while (!(await db.value<boolean>(question))) await new Promise(setImmediate)
}

const isAnyWaiting = sql`
  select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')`

describe('writers during a change', () => {
  const attrOf = (path: string) =>
    db.value<number>(sql`select attr from attributes where id = ${path.split('/').at(-1)}`)

  /** Starts the change, which then waits for an older transaction. */
  async function begun(codes: readonly string[]) {
    const parts = await buildParts(service, null)
    for (const code of codes) await parts.add(code)
    const older = await open()
    const changing = parts.change(false)
    const attr = await attrOf(parts.path)
    await until(sql`select exists (select from case_changes where attr = ${attr} and since < 'infinity')`)
    return { ...parts, attr, older, changing }
  }

  test('a value that two records write in different cases is refused to one of them', async () => {
    const { org, add, tryToAdd, older, changing } = await begun(['old'])
    const id = await add('New')
    expectError(await tryToAdd('nEW'), 'unique_violation')
    expectError(await org.put(`${RECORDS}/by/code/nEW`, { data: { title: 'a' } }), 'unique_violation')
    expectError(await org.patch(`${RECORDS}/${id}`, { data: { code: 'old' } }), 'unique_violation')
    const bulk = (body: object) => org.post<{ failed: object[] }>(`${RECORDS}/bulk`, body)
    const rows = ['nEw', 'two', 'TWO'].map((code) => ({ data: { code } }))
    expect((await bulk({ mode: 'upsert', matchOn: 'code', records: rows })).body).toMatchObject({
      created: 1,
      failed: [
        { index: 0, code: 'unique_violation', existingRecordId: id },
        { index: 2, code: 'unique_violation' },
      ],
    })
    // Until the change is finished, records are found by the old rule.
    expect((await org.get(`${RECORDS}/by/code/nEW`)).status).toBe(404)
    expect((await org.patch(`${RECORDS}/${id}`, { data: { code: 'NEWER' } })).status).toBe(200)
    await older.end()
    expect((await changing).status).toBe(200)
    const keys = ['0 sha256:lower:old', '1 sha256:lower:newer', '2 sha256:lower:two']
    expect(await keysOf(db, org)).toEqual(keys)
  })

  test('a concurrent older writer of an equal value causes the change to be refused', async () => {
    const { org, path, add, tryToAdd, change } = await buildParts(service, null)
    const attr = await attrOf(path)
    const ids = [await add('ab')]
    const older = await open()
    await older.run(
      sql`insert into uniques (org, attr, value, id) values (${org.org}, ${attr}, 'AB', ${ids[0]}::uuid)`,
    )
    const writing = tryToAdd('AB')
    await until(isAnyWaiting)
    const changing = change(false)
    await until(sql`select exists (select from case_changes where attr = ${attr})`)
    await older.end()
    ids.push((await writing).body.id)
    const refused = await changing
    expectError(refused, 'case_conflict')
    expect(refused.body.details).toMatchObject({
      total: 1,
      conflicts: [{ values: ['AB', 'ab'], recordIds: ids }],
    })
    expect((await org.get(path)).body).toMatchObject({ config: null })
    await finishKeyChanges(service, org)
    expect(await keysOf(db, org)).toEqual(['0 ab', '1 AB'])
    expect((await tryToAdd('Ab')).status).toBe(201)
  })

  test('a writer of an equal value before old values are compared causes the change to be refused', async () => {
    const { org, tryToAdd, older, changing } = await begun(['ab'])
    // The old record has no new key yet.
    const { status } = await tryToAdd('AB')
    await older.end()
    const refused = await changing
    expect(status).toBe(201)
    expectError(refused, 'case_conflict')
    await finishKeyChanges(service, org)
    expect(await keysOf(db, org)).toEqual(['0 ab', '1 AB'])
  })

  test('the attribute cannot be deleted, and the opposite change is refused until the change ends', async () => {
    const { org, path, older, changing, change } = await begun(['a'])
    expectError(await org.delete(path), 'wrong_state')
    expectError(await change(true), 'wrong_state')
    await older.end()
    expect((await changing).status).toBe(200)
    expect((await org.delete(path)).status).toBe(200)
  })
})
