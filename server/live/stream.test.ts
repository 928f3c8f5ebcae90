import { expect, test } from 'vitest'
import { LIVE_IDS_MAX } from '../../contract/live.ts'
import { newId } from '../base/id.ts'
import { type LiveEvent, liveChanges } from './message.ts'
import { LiveStream } from './stream.ts'

const owner = { org: 1, userId: newId(), sessionId: newId(), isVerified: true, client: '192.0.2.1' }

test('disconnects a client that does not read, with a bounded buffer', () => {
  const stream = new LiveStream(owner)
  stream.start('')
  let most = 0
  for (let sent = 0; sent < 1000; sent++) {
    stream.send('x'.repeat(1000))
    most = Math.max(most, stream.readableLength)
  }
  expect(stream.destroyed).toBe(true)
  expect(stream.wasSlow).toBe(true)
  expect(most).toBeLessThan(70_000)
})

test('sends everything to a client that reads', async () => {
  const stream = new LiveStream(owner)
  stream.start('a')
  let text = ''
  stream.on('data', (piece: Buffer) => (text += piece))
  for (let sent = 0; sent < 200; sent++) {
    stream.send('x'.repeat(1000))
    await new Promise(setImmediate)
  }
  stream.finish('closing')
  stream.send('never')
  await new Promise((resolve) => stream.once('end', resolve))
  expect(text).toHaveLength(1 + 200_000 + 'event: end\ndata: {"reason":"closing"}\n\n'.length)
  expect(stream.wasSlow).toBe(false)
})

const event = (more: Partial<LiveEvent> = {}): LiveEvent => ({
  id: newId(),
  type: 'record.updated',
  subject: newId(),
  objectId: 'companies',
  ...more,
})

test('liveChanges merges changes of one type and object, with each record once', () => {
  const [one, two] = [event(), event({ type: 'record.created' })]
  const again = event({ subject: one.subject })
  const activity = event({ type: 'activity.updated', objectId: null })
  expect(liveChanges([one, two, again, activity])).toEqual([
    { type: 'record.updated', objectId: 'companies', ids: [one.subject] },
    { type: 'record.created', objectId: 'companies', ids: [two.subject] },
    { type: 'activity.updated', objectId: null, ids: [activity.subject] },
  ])
})

test('liveChanges names no records above the limit', () => {
  const most = Array.from({ length: LIVE_IDS_MAX }, () => event())
  expect(liveChanges(most)).toMatchObject([{ ids: most.map(({ subject }) => subject) }])
  expect(liveChanges([...most, event({ type: 'record.deleted' })])).toEqual([
    { type: 'record.updated', objectId: 'companies', ids: null },
    { type: 'record.deleted', objectId: 'companies', ids: null },
  ])
})
