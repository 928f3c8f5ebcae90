// Streams of live updates when the service stops.
import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { openStream } from './open-stream.fixture.ts'

const service = await buildTestService()

test('a stop ends all streams without waiting for them', async () => {
  const org = await service.org()
  const node = await service.node()
  const address = await node.listen({ port: 0, host: '127.0.0.1' })
  const { cookie } = await org.member('member')
  const url = `${address}/dashboard/api/organizations/org-${org.id}/events/stream`
  const stream = await openStream(url, { cookie })
  await node.close()
  await stream.ended
  expect(stream.messages).toEqual([{ id: undefined, event: 'end', data: { reason: 'closing' } }])
})
