import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUuid } from '../../contract/common.ts'
import { AppError } from '../base/errors.ts'
import { checkNewOrganization, type OrganizationToCreate, organizationSlug } from './new-organization.ts'

const good: OrganizationToCreate = {
  name: ' Acme ',
  owner: { name: 'Ada', email: 'Ada@Example.com', password: 'correct horse' },
}

test('fills in defaults and converts the email to lower case', () => {
  expect(checkNewOrganization(good)).toEqual({
    name: 'Acme',
    slug: undefined,
    owner: { name: 'Ada', email: 'ada@example.com', password: 'correct horse' },
    country: 'US',
    currency: 'USD',
    timeZone: 'UTC',
  })
})

const owner = (change: Partial<OrganizationToCreate['owner']>) => ({ owner: { ...good.owner, ...change } })

test.each<[string, Partial<OrganizationToCreate>]>([
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(201) }],
  ['slug', { slug: '' }],
  ['slug', { slug: 'Acme' }],
  ['slug', { slug: '-acme' }],
  ['slug', { slug: 'a'.repeat(64) }],
  ['slug', { slug: '0198c0de-0000-7000-8000-000000000001' }],
  ['owner.name', owner({ name: '' })],
  ['owner.email', owner({ email: 'ada' })],
  ['owner.email', owner({ email: `${'a'.repeat(250)}@example.com` })],
  ['owner.password', owner({ password: 'short12' })],
  ['owner.password', owner({ password: 'x'.repeat(129) })],
  ['country', { country: 'XX' }],
  ['country', { country: 'USA' }],
  ['currency', { currency: 'EURO' }],
  ['currency', { currency: 'ZZZ' }],
  ['timeZone', { timeZone: 'Mars/Olympus' }],
  ['timeZone', { timeZone: '' }],
])('rejects a bad %s and names it', (path, change) => {
  const check = () => checkNewOrganization({ ...good, ...change })
  expect(check).toThrow(AppError)
  expect(check).toThrow(expect.objectContaining({ details: { errors: [expect.objectContaining({ path })] } }))
})

test('one error names all problems', () => {
  const check = () => checkNewOrganization({ ...good, name: '', country: 'usa' })
  expect(check).toThrow(/name: .*; country: /)
})

test.each([
  ['Acme', 'acme'],
  ['Müller & Söhne GmbH', 'muller-sohne-gmbh'],
  ['  ACME -- 2  ', 'acme-2'],
  ['株式会社', 'organization'],
  ['a'.repeat(60), 'a'.repeat(28)],
])('the slug of %j is %s', (name, slug) => {
  expect(organizationSlug(name)).toBe(slug)
})

test('a derived slug is always valid, also with a suffix, and never looks like an id', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.uuid()), (name) => {
      for (const slug of [organizationSlug(name), `${organizationSlug(name)}-abcdef`]) {
        expect(isUuid(slug)).toBe(false)
        expect(checkNewOrganization({ ...good, slug }).slug).toBe(slug)
      }
    }),
  )
})
