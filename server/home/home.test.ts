import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Home } from '../../contract/home.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { bodyOf, createRecord } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'

const service = await sharedTestService()

const home = async (who: SignedInMember): Promise<Home> => bodyOf(await who.get<Home>('/home'))
const HOUR = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

describe('GET /home', () => {
  test('lists each record once, with its latest change, and no deleted record', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const ada = await createRecord(mia, 'people', { name: 'Ada' })
    await createRecord(mia, 'companies', { name: 'Acme' })
    const bob = await createRecord(mia, 'people', { name: 'Bob' })
    await mia.post('/activities', { title: 'Call' })
    await org.patch(`/objects/people/records/${ada.id}`, { data: { job_title: 'Countess' } })
    await mia.delete(`/objects/people/records/${bob.id}`)
    const { recentRecords } = await home(mia)
    expect(recentRecords).toEqual([
      {
        objectId: ada.objectId,
        recordId: ada.id,
        name: 'Ada',
        at: expect.stringMatching(/Z$/),
        type: 'record.updated',
        isRestored: false,
        changed: ['Job title'],
        actor: { id: org.userId, name: 'Olivia Owner', email: `owner-${org.userId}@example.com` },
      },
      expect.objectContaining({
        name: 'Acme',
        type: 'record.created',
        changed: [],
        actor: expect.objectContaining({ id: mia.userId }),
      }),
    ])
  })

  test('marks a record that was restored from the trash', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const ada = await createRecord(mia, 'people', { name: 'Ada' })
    await mia.delete(`/objects/people/records/${ada.id}`)
    await mia.post(`/objects/people/trash/${ada.id}/restore`)
    expect((await home(mia)).recentRecords).toMatchObject([
      { recordId: ada.id, type: 'record.created', isRestored: true },
    ])
  })

  test('lists at most fifteen recent records', async () => {
    const mia = await (await service.org()).member('member')
    for (let number = 0; number < 17; number++) await createRecord(mia, 'companies', { name: `C${number}` })
    const { recentRecords } = await home(mia)
    expect(recentRecords.map(({ name }) => name)).toEqual(Array.from({ length: 15 }, (_, n) => `C${16 - n}`))
  })

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'])('counts by day in %s', async (zone) => {
    const org = await service.org()
    await service.ctx.directory.run(sql`update organizations set time_zone = ${zone} where org = ${org.org}`)
    await service.ctx.cells.copy()
    const mia = await org.member('member')
    const day = (ago: number) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(Date.now() - ago * 24 * HOUR))
    const offset = { 'Pacific/Kiritimati': '+14:00', 'Pacific/Pago_Pago': '-11:00', UTC: 'Z' }[zone]
    for (const at of [
      `${day(0)}T00:00:00${offset}`,
      `${day(0)}T23:59:59${offset}`,
      `${day(6)}T00:00:00${offset}`,
      `${day(7)}T23:59:59${offset}`,
    ])
      expect((await mia.post('/activities', { title: 'Call', activityDate: at })).status).toBe(201)
    const { activitiesByDay } = await home(mia)
    expect(activitiesByDay).toEqual(
      [6, 5, 4, 3, 2, 1, 0].map((ago) => ({ date: day(ago), count: { 6: 1, 0: 2 }[ago] ?? 0 })),
    )
  })

  test('lists future activities, soonest first, without tasks', async () => {
    const mia = await (await service.org()).member('member')
    for (const activity of [
      { title: 'past', activityDate: inHours(-1) },
      { title: 'later', activityDate: inHours(48) },
      { title: 'soon', type: 'call', activityDate: inHours(2) },
      { title: 'task', type: 'task', activityDate: inHours(3) },
    ])
      await mia.post('/activities', activity)
    const { upcoming } = await home(mia)
    expect(upcoming.map(({ title }) => title)).toEqual(['soon', 'later'])
  })

  test('lists open tasks assigned to the caller, by due date', async () => {
    const org = await service.org()
    const [mia, max] = await org.members('member', 'member')
    const task = (who: SignedInMember, title: string, more: object = {}) =>
      who.post('/activities', { title, type: 'task', assignee: mia.userId, ...more })
    await task(mia, 'no date')
    await task(mia, 'tomorrow', { activityDate: inHours(24) })
    await task(max, 'late, for Mia', { activityDate: inHours(-30) })
    await task(mia, 'done', { activityDate: inHours(1), completedAt: inHours(-1) })
    await task(mia, 'for no one', { assignee: null })
    await task(mia, 'for Max', { activityDate: inHours(1), assignee: max.userId })
    const { ownTasks } = await home(mia)
    expect(ownTasks.tasks.map(({ title }) => title)).toEqual(['late, for Mia', 'tomorrow', 'no date'])
    expect(ownTasks.total).toBe(3)
    expect((await home(max)).ownTasks.tasks.map(({ title }) => title)).toEqual(['for Max'])
  })

  test('lists at most ten tasks, and returns their total number', async () => {
    const mia = await (await service.org()).member('member')
    for (let number = 0; number < 11; number++)
      await mia.post('/activities', { title: 'Task', type: 'task', assignee: mia.userId })
    const { ownTasks } = await home(mia)
    expect([ownTasks.tasks.length, ownTasks.total]).toEqual([10, 11])
  })

  test('counts the records of active objects', async () => {
    const org = await service.org()
    const olivia = await org.member('owner')
    await olivia.post('/objects', { pluralName: 'Old', singularName: 'Old' })
    await olivia.patch('/objects/old', { isActive: false })
    const { objectId } = await createRecord(olivia, 'people', { name: 'Ada' })
    const { counts } = await home(olivia)
    expect(counts).toHaveLength(3)
    expect(counts.filter(({ total }) => total !== 0)).toEqual([{ objectId, total: 1 }])
  })

  test('shows nothing of another organization', async () => {
    const zoe = await (await service.org()).member('member')
    await createRecord(zoe, 'people', { name: 'Ada' })
    await zoe.post('/activities', { title: 'Call', activityDate: inHours(1) })
    const { recentRecords, upcoming, counts } = await home(await (await service.org()).member('member'))
    expect([recentRecords, upcoming, counts.map(({ total }) => total)]).toEqual([[], [], [0, 0, 0]])
  })
})
