import { describe, expect, test } from 'vitest'
import { namingAttribute, recordName } from './record-name.ts'

type Candidate = Parameters<typeof namingAttribute>[0][number]

const attribute = (slug: string, type: Candidate['type'], flags: Partial<Candidate> = {}): Candidate => ({
  slug,
  type,
  isList: false,
  ...flags,
})
const ID = '0198c0de-0000-7000-8000-0000deadbeef'

describe('namingAttribute', () => {
  test.each<[string, Candidate[], string | undefined]>([
    ['name of type text', [attribute('full', 'name'), attribute('name', 'text')], 'name'],
    ['name of type name', [attribute('title', 'text'), attribute('name', 'name')], 'name'],
    ['not name of another type', [attribute('name', 'number'), attribute('title', 'text')], 'title'],
    ['the chosen one', [attribute('name', 'name'), attribute('a', 'text', { isNaming: true })], 'a'],
    ['no chosen one that cannot name', [attribute('n', 'number', { isNaming: true })], undefined],
    ['the first text, also before a name', [attribute('a', 'text'), attribute('b', 'name')], 'a'],
    ['the first name, also before a text', [attribute('b', 'name'), attribute('a', 'text')], 'b'],
    ['the first text', [attribute('mail', 'email'), attribute('a', 'text'), attribute('b', 'text')], 'a'],
    ['an email', [attribute('n', 'number'), attribute('mail', 'email')], 'mail'],
    ['no list', [attribute('name', 'text', { isList: true }), attribute('mail', 'email')], 'mail'],
    ['nothing', [attribute('n', 'number')], undefined],
  ])('%s', (_, attributes, expected) => {
    expect(namingAttribute(attributes)?.slug).toBe(expected)
  })
})

describe('recordName', () => {
  const name = attribute('name', 'name')
  test.each([
    [name, { name: { firstName: 'Ada', lastName: 'Lovelace' } }, 'Ada Lovelace'],
    [name, { name: { lastName: 'Lovelace' } }, 'Lovelace'],
    [name, { name: 'Acme' }, 'Acme'],
    [name, {}, 'deadbeef'],
    [undefined, { name: 'Acme' }, 'deadbeef'],
    [name, { name: '𝒜'.repeat(301) }, '𝒜'.repeat(300)],
  ])('%j of %j', (attribute, data, expected) => {
    expect(recordName(attribute, { id: ID, data })).toBe(expected)
  })
})
