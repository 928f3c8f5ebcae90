// The picture of a user: a file of one of their organizations.
import { expect, test } from 'vitest'
import type { Member } from '../../contract/members.ts'
import type { Session } from '../../contract/session.ts'
import { buildFileService } from '../files/files.fixture.ts'
import { expectError } from '../test/factories.ts'

const service = await buildFileService()
const org = await service.org()

test('PATCH /profile sets the picture, keeps it with a new name, and removes it', async () => {
  const mia = await org.member('member')
  const image = await service.stored(org)
  const { status, body } = await mia.session.patch('/profile', { image })
  expect({ status, body }).toEqual({
    status: 200,
    body: { id: mia.userId, name: 'Mia Member', email: mia.email, emailVerified: true, image },
  })
  expect((await mia.session.patch('/profile', { name: 'Mia' })).body).toMatchObject({ name: 'Mia', image })
  expect((await mia.session.get<Session>('/session')).body.user.image).toBe(image)
  const { members } = (await org.get<{ members: Member[] }>('/members')).body
  expect(members.find(({ user }) => user.id === mia.userId)?.user.image).toBe(image)
  expect((await mia.session.patch('/profile', { image: null })).body).toMatchObject({ image: null })
  expect((await mia.session.get<Session>('/session')).body.user.image).toBe(null)
})

test('PATCH /profile refuses anything but a picture from an organization of the user', async () => {
  const mia = await org.member('member')
  const foreign = await service.stored(await service.org())
  const { signedUrl, publicUrl: text } = await service.ask(org)
  await service.put(signedUrl, 'text', { 'content-type': 'text/plain' })
  const waiting = (await service.ask(org)).publicUrl
  for (const image of ['', 7, 'https://example.com/me.png', 'javascript:alert(1)', foreign, text, waiting]) {
    const reply = await mia.session.patch('/profile', { image })
    expectError(reply, 'validation_error')
    expect(JSON.stringify(reply.body)).toContain('"path":"image"')
  }
  expect((await mia.session.patch('/profile', {})).status).toBe(200)
})
