import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../config/config.ts'
import { buildTestService } from '../test/build-app.ts'
import { securityText } from './security-text.ts'

const baseUrl = 'https://crm.example.com'
const service = await buildTestService({ baseUrl, securityContact: 'security@example.com' })
const silent = await buildTestService()

const get = (from: typeof service) => from.inject({ url: '/.well-known/security.txt' })

test('security.txt names the contact for vulnerabilities, and expires in about three months', async () => {
  const { statusCode, headers, payload } = await get(service)
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  const [contact, expires, languages, canonical, ...rest] = payload.split('\n')
  expect([contact, languages, canonical, rest]).toEqual([
    'Contact: mailto:security@example.com',
    'Preferred-Languages: en',
    'Canonical: https://crm.example.com/.well-known/security.txt',
    [''],
  ])
  expect(expires).toMatch(/^Expires: \d{4}-\d\d-\d\dT00:00:00\.000Z$/)
  const at = new Date('2026-11-22T10:00:00Z')
  expect(securityText({ contact: 'https://example.com/report', baseUrl }, at)).toContain(
    'Contact: https://example.com/report\nExpires: 2027-02-21T00:00:00.000Z\n',
  )
})

test('security.txt is a 404 if the operator has set no contact', async () => {
  expect((await get(silent)).statusCode).toBe(404)
})

test.each([
  'someone',
  'security@example.com\nContact: evil',
  'http://example.com/report',
  'javascript:alert(1)',
])('the contact %j is refused at the start', (contact) => {
  expect(() => readConfig({ SECURITY_CONTACT: contact })).toThrow(ConfigError)
})

test.each(['security@example.com', 'mailto:security@example.com', 'https://example.com/report'])(
  'the contact %j is accepted',
  (contact) => {
    expect(readConfig({ SECURITY_CONTACT: contact }).securityContact).toBe(contact)
  },
)
