// Messages that Svix does not accept immediately: their retries, and the messages that wait for them.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { forgetStopped } from '../jobs.ts'
import type { Interference } from './stand-in.fixture.ts'
import { buildSvixWorld, company } from './world.fixture.ts'

const { service, ctx, standIn, listening, takenOf, namesOf, waitingOf, meetWith } = await buildSvixWorld()

describe('when Svix does not accept a message', () => {
  test.each<[string, Interference]>([
    ['an error', { status: 500 }],
    ['an unknown token', { status: 401 }],
    ['a redirect', { status: 302, headers: { location: 'https://example.com' } }],
    ['no response', { kind: 'reset' }],
  ])('because of %s, the message is retried by the schedule', async (_, how) => {
    const org = await listening()
    await company(org)
    service.freezeClock()
    meetWith(org, how)
    await service.deliver()
    await service.deliver()
    expect(await waitingOf(org)).toMatchObject([{ tries: 1 }])
    service.advance(6000)
    await service.deliver()
    expect(await waitingOf(org)).toMatchObject([{ tries: 2, isStopped: false, problem: expect.any(String) }])
    standIn.interfere()
    service.advance(20_000)
    await service.deliver()
    expect(takenOf(org)).toEqual([])
    service.advance(16_000)
    await service.deliver()
    expect(namesOf(org)).toEqual(['Acme'])
    expect(await waitingOf(org)).toEqual([])
  })

  test('each try has its own idempotency key, because Svix stores failures by key', async () => {
    const org = await listening()
    await company(org)
    meetWith(org, { status: 503 })
    await service.deliver()
    standIn.interfere()
    service.advance(6000)
    await service.deliver()
    const [message] = takenOf(org)
    expect(message?.idempotencyKey).toBe(`${message?.eventId}-1`)
  })

  test('Retry-After delays the retry', async () => {
    const org = await listening()
    await company(org)
    service.freezeClock()
    meetWith(org, { status: 429, headers: { 'retry-after': '300' } })
    await service.deliver()
    standIn.interfere()
    service.advance(299_000)
    await service.deliver()
    expect(takenOf(org)).toEqual([])
    service.advance(2000)
    await service.deliver()
    expect(takenOf(org)).toHaveLength(1)
  })

  test('later messages of the organization wait, but not those of other organizations', async () => {
    const [ill, well] = [await listening(), await listening()]
    for (const name of ['first', 'second', 'third']) await company(ill, name)
    await company(well)
    meetWith(ill, { status: 500 })
    await service.deliver()
    await company(ill, 'fourth')
    await company(well)
    await service.deliver()
    expect([namesOf(ill), namesOf(well).length]).toEqual([[], 2])
    expect((await waitingOf(ill)).map(({ tries }) => tries)).toEqual([1, 0, 0, 0])
    standIn.interfere()
    service.advance(6000)
    await service.deliver()
    expect(namesOf(ill)).toEqual(['first', 'second', 'third', 'fourth'])
  })

  test('and rejects it permanently, the next messages are sent, and the message is kept', async () => {
    const org = await listening()
    for (const name of ['first', 'second']) await company(org, name)
    let isFirst = true
    standIn.interfere(({ operation }) => {
      if (operation !== 'v1.message.create' || !isFirst) return undefined
      isFirst = false
      return { status: 413, body: '{"code":"payload_too_large","detail":"too large"}' }
    })
    await service.deliver()
    expect(namesOf(org)).toEqual(['second'])
    const problem = 'responded with 413 Payload Too Large: {"code":"payload_too_large","detail":"too large"}'
    expect(await waitingOf(org)).toMatchObject([{ tries: 1, isStopped: true, status: 413, problem }])
    const forget = () => forgetStopped(ctx, new AbortController().signal, new Date())
    await forget()
    expect(await waitingOf(org)).toHaveLength(1)
    await ctx.db.run(
      sql`update svix_messages set stopped_at = stopped_at - interval '31 days' where org = ${org.org}`,
    )
    await forget()
    expect(await waitingOf(org)).toEqual([])
  })

  test('because the application was deleted at Svix, the application is created again', async () => {
    const org = await listening()
    await company(org)
    standIn.applications.delete(org.id)
    await service.deliver()
    expect(takenOf(org)).toEqual([])
    expect(standIn.applications.get(org.id)).toBe('Acme')
    service.advance(6000)
    await service.deliver()
    expect(namesOf(org)).toEqual(['Acme'])
  })

  test('for 72 hours, that message and those waiting behind it stop, and newer ones are sent', async () => {
    const org = await listening()
    for (const name of ['first', 'second']) await company(org, name)
    meetWith(org, { status: 500 })
    await service.deliver()
    service.advance(71 * 3600_000)
    await service.deliver()
    expect((await waitingOf(org)).map(({ tries, isStopped }) => [tries, isStopped])).toEqual([
      [2, false],
      [0, false],
    ])
    await company(org, 'third')
    await service.deliver()
    service.advance(3600_000)
    standIn.interfere()
    await service.deliver()
    expect(namesOf(org)).toEqual(['third'])
    expect((await waitingOf(org)).map(({ isStopped }) => isStopped)).toEqual([true, true])
  })

  test('because its response was lost, a conflict on the retry counts as accepted', async () => {
    const org = await listening()
    for (const name of ['first', 'second']) await company(org, name)
    meetWith(org, { kind: 'reset', isDone: true })
    await service.deliver()
    expect(namesOf(org)).toEqual(['first'])
    standIn.interfere()
    service.advance(6000)
    await service.deliver()
    expect(namesOf(org)).toEqual(['first', 'second'])
    expect(await waitingOf(org)).toEqual([])
  })
})
