// Types of a request follow from its address. The type check is the test: no request is sent.
import { expectTypeOf, test } from 'vitest'
import type { Activity } from '../../../contract/activities.ts'
import type { Pagination } from '../../../contract/common.ts'
import type { Member } from '../../../contract/members.ts'
import { request, requestWithEtag, send, urlOf } from './client.ts'

const org = 'acme'
const params = { memberId: 'one' }

test('a response has the type that its route declares', () => {
  const members = () => request('GET /members', { org })
  expectTypeOf(members).returns.resolves.toEqualTypeOf<{ members: Member[]; pagination: Pagination }>()
  const activity = () =>
    requestWithEtag('GET /activities/:activityId', { org, params: { activityId: 'one' } })
  expectTypeOf(activity).returns.resolves.toEqualTypeOf<{ body: Activity; etag: string | undefined }>()
})

test('optional input can be omitted or undefined', () => {
  void (() => request('GET /sessions'))
  void (() => request('GET /activities', { org, query: { type: undefined } }))
  void (() => request('PATCH /members/:memberId', { org, params, body: { role: 'admin' } }))
})

test('a wrong address does not compile', () => {
  // @ts-expect-error misspelled
  void (() => request('GET /member', { org }))
  // @ts-expect-error the address has no such method
  void (() => request('PUT /members', { org }))
  // @ts-expect-error the organization is missing
  void (() => request('GET /members', {}))
  // @ts-expect-error its parameter is missing
  void (() => urlOf('GET /imports/:importId/failed.csv', { org }))
  // @ts-expect-error another parameter
  void (() => request('DELETE /members/:memberId', { org, params: { id: 'one' } }))
})

test('a wrong query or body does not compile', () => {
  // @ts-expect-error no such parameter
  void (() => request('GET /activities', { org, query: { kind: 'call' } }))
  // @ts-expect-error of another type
  void (() => request('GET /activities', { org, query: { limit: '20' } }))
  // @ts-expect-error the body is missing
  void (() => request('PATCH /members/:memberId', { org, params }))
  // @ts-expect-error no such role
  void (() => request('PATCH /members/:memberId', { org, params, body: { role: 'king' } }))
  // @ts-expect-error the route takes none
  void (() => send('GET /members', { org, body: {} }))
})
