// Mentions of a person in texts of others, in their history, and in definitions, over HTTP.
import { expect, test } from 'vitest'
import type { MentionList } from '../../contract/privacy.ts'
import { bodyOf, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'

const service = await sharedTestService()
const PEOPLE = '/objects/people/records'

const make = async (org: Org, data: object) => (await org.post<{ id: string }>(PEOPLE, { data })).body.id

test('GET mentions finds the person in texts of other records and activities, and not in itself', async () => {
  const org = await service.org()
  const person = await make(org, { name: 'Zorblax Quuxley', email: 'zorblax@vextrune.example' })
  const other = await make(org, { name: 'Merry Gold', job_title: 'Assistant of Zorblax Quuxley' })
  const { body: note } = await org.post<{ id: string }>('/activities', {
    title: 'Ask zorblax@vextrune.example',
  })
  const past = await make(org, { name: 'Ann', job_title: 'Assistant of Zorblax Quuxley' })
  await org.patch(`${PEOPLE}/${past}`, { data: { job_title: 'Unrelated' } })
  const talked = await make(org, { name: 'Bo' })
  await org.post(`${PEOPLE}/${talked}/comments`, { text: 'Knows Zorblax Quuxley' })
  const { body: trashed } = await org.post<{ id: string }>('/activities', {
    title: 'Call',
    summary: 'About Zorblax Quuxley',
  })
  await org.delete(`/activities/${trashed.id}`)
  const asked = await make(org, { name: 'Cy' })
  const { body: comment } = await org.post<{ id: string }>(`${PEOPLE}/${asked}/comments`, {
    text: 'Ask Zorblax Quuxley',
  })
  await org.delete(`/comments/${comment.id}`)
  const reworded = await make(org, { name: 'Di' })
  const before = { text: 'Call Zorblax Quuxley' }
  const { body: edited } = await org.post<{ id: string }>(`${PEOPLE}/${reworded}/comments`, before)
  await org.patch(`/comments/${edited.id}`, { text: 'Call them' })
  const formerlyCommented = await make(org, { name: 'Ed' })
  const { body: deleted } = await org.post<{ id: string }>(`${PEOPLE}/${formerlyCommented}/comments`, before)
  await org.patch(`/comments/${deleted.id}`, { text: 'Call them' })
  await org.delete(`/comments/${deleted.id}`)
  const { body } = await org.get<MentionList>(`${PEOPLE}/${person}/mentions`)
  expect(body.isComplete).toBe(true)
  expect(body.mentions.map(({ kind, id }) => `${kind} ${id}`).sort()).toEqual(
    [
      ...[`activity ${note.id}`, `record ${other}`, `history ${past}`, `comment ${talked}`],
      ...[
        `activity ${trashed.id}`,
        `comment ${asked}`,
        `comment ${reworded}`,
        `comment ${formerlyCommented}`,
      ],
    ].sort(),
  )
})

test('GET mentions lists views, reports and workflows that name the person, until they are edited', async () => {
  const org = await service.org()
  const admin = await org.member('admin')
  const email = 'zorblax@vextrune.example'
  const person = await make(org, { name: 'Zorblax Quuxley', email })
  const made = async (path: string, body: object) =>
    bodyOf(await admin.post<{ id: string }>(path, body), 201).id
  const filter = { attributeSlug: 'email', operator: 'equals', value: email }
  const columns = [{ slug: 'name' }]
  const view = await made('/objects/people/views', { name: 'One', state: { version: 1, columns, filter } })
  const definition = {
    name: 'Mails',
    source: { objectId: 'people', alias: 'person' },
    columns: [{ key: 'email', field: 'person.email' }],
  }
  const filters = { field: 'person.email', operator: 'equals', value: email }
  const report = await made('/reports', { definition: { ...definition, filters } })
  const config = { to: email, subject: 'Hello', text: 'Hello' }
  const { body: people } = await org.get<{ id: string }>('/objects/people')
  const workflow = await made('/workflows', {
    name: 'Mail',
    definition: {
      trigger: 'record/updated',
      triggerConfig: { objectId: people.id },
      steps: [{ key: 'mail', type: 'send_email', config }],
    },
  })
  const mentions = async () => (await org.get<MentionList>(`${PEOPLE}/${person}/mentions`)).body
  expect(await mentions()).toEqual({
    isComplete: true,
    mentions: [
      { kind: 'view', objectId: people.id, id: view, name: 'One', found: null },
      { kind: 'report', objectId: null, id: report, name: 'Mails', found: null },
      { kind: 'workflow', objectId: null, id: workflow, name: 'Mail', found: null },
    ],
  })
  expect((await admin.patch(`/reports/${report}`, { definition })).status).toBe(200)
  expect((await mentions()).mentions.map(({ kind }) => kind)).toEqual(['view', 'workflow'])
  const other = await service.org()
  const stranger = await make(other, { name: 'Zorblax Quuxley', email })
  expect((await other.get<MentionList>(`${PEOPLE}/${stranger}/mentions`)).body.mentions).toEqual([])
})
