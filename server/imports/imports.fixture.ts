// Common steps of the tests of imports.
import { expect } from 'vitest'
import type { Import, ImportCheck } from '../../contract/imports.ts'
import type { Reply, Requests } from '../test/dashboard-client.ts'
import { bodyOf } from '../test/factories.ts'
import type { SharedService } from '../test/shared-service.ts'

export const upload = (
  member: Requests,
  text: string | Buffer,
  path = '/objects/people/imports?fileName=people.csv',
): Promise<Reply<Import>> =>
  member.post<Import>(path, Buffer.isBuffer(text) ? text : Buffer.from(text), { 'content-type': 'text/csv' })

/** Maps columns in order, each to a slug or slug.part. An empty string leaves a column unmapped. */
export const mapping = (...targets: string[]): ImportCheck['mapping'] =>
  targets.flatMap((target, index) => {
    const [attributeSlug = '', part] = target.split('.')
    return target === '' ? [] : [{ index, attributeSlug, ...(part !== undefined && { part }) }]
  })

export async function uploaded(member: Requests, text: string | Buffer, path?: string): Promise<Import> {
  const body = bodyOf(await upload(member, text, path), 201)
  expect(body).toMatchObject({ state: 'uploaded' })
  return body
}

export const get = async (member: Requests, { id }: Pick<Import, 'id'>): Promise<Import> =>
  bodyOf(await member.get<Import>(`/imports/${id}`))

export async function post(
  member: Requests,
  { id }: Pick<Import, 'id'>,
  action: string,
  body?: unknown,
): Promise<Import> {
  const reply = await member.post<Import>(`/imports/${id}/${action}`, body)
  expect(reply).toMatchObject({ status: 200 })
  return reply.body
}

/** Uploads and checks a file. */
export async function checked(
  service: SharedService,
  member: Requests,
  { text, path, ...check }: ImportCheck & { text: string | Buffer; path?: string },
): Promise<Import> {
  const file = await uploaded(member, text, path)
  expect(await post(member, file, 'check', check)).toMatchObject({ state: 'checking' })
  await service.drain()
  return get(member, file)
}

/** Uploads, checks and imports a file. */
export async function imported(
  service: SharedService,
  member: Requests,
  options: ImportCheck & { text: string | Buffer; path?: string },
): Promise<Import> {
  const file = await checked(service, member, options)
  expect(file.state).toBe('checked')
  expect(await post(member, file, 'run')).toMatchObject({ state: 'running' })
  await service.drain()
  return get(member, file)
}
