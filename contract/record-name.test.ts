import { describe, expect, test } from 'vitest'
import { recordName } from './record-name.ts'

const ID = '0198c0de-0000-7000-8000-0000deadbeef'

describe('recordName', () => {
  const name = { slug: 'name' }
  test.each([
    [name, { name: { firstName: 'Ada', lastName: 'Lovelace' } }, 'Ada Lovelace'],
    [name, { name: { lastName: 'Lovelace' } }, 'Lovelace'],
    [name, { name: 'Acme' }, 'Acme'],
    [name, {}, 'deadbeef'],
    [undefined, { name: 'Acme' }, 'deadbeef'],
    [name, { name: '𝒜'.repeat(301) }, '𝒜'.repeat(300)],
  ])('with attribute %j and data %j', (attribute, data, expected) => {
    expect(recordName(attribute, { id: ID, data })).toBe(expected)
  })
})
