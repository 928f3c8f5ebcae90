// Free-text search: `q` of lists and searches, with and without index rows, and how it compares texts.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { foldText, hasWords, searchWords } from '../../../contract/search-text.ts'
import type { Org } from '../../test/factories.ts'
import { expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { indexEmptyObject } from '../engine/indexed.fixture.ts'

const service = await sharedTestService()

describe('foldText', () => {
  const letters = fc.stringMatching(/^[ a-zA-Z0-9'’`´‘%_.\-–À-ɏΑ-ωА-яぁ-んÅﬁ½ſ]{0,40}$/)

  test('folds texts as the database does', async () => {
    const texts = [
      ...fc.sample(letters, 2000),
      'e\u0301t\u0065\u0301',
      'İstanbul',
      'ẞ',
      'ΣΟΦΟΣ',
      'Ǆ',
      '①',
      'ŉ Boek, O＇Neil｀`',
      '',
    ]
    const rows = await service.ctx.db.many<{ folded: string }>(
      sql`select search_fold(value) as folded from unnest(${texts}::text[]) with ordinality as t(value, n) order by n`,
    )
    expect(rows.map(({ folded }) => folded)).toEqual(texts.map(foldText))
  })

  test('does not change folded texts', () => {
    fc.assert(fc.property(letters, (text) => foldText(foldText(text)) === foldText(text)))
    for (const text of ['ŉ', '＇', '｀', '`']) expect(foldText(foldText(text))).toBe(foldText(text))
  })

  test.each([
    ['José O’Neil', ['jose', 'oneil']],
    [' 100% – EU/US ', ['100', 'eu', 'us']],
    ['a A á', ['a']],
    ['ŉ ʼn O＇Neil', ['n', 'oneil']],
    ['%', []],
    ['Ada@Example.com, (acme.example)', ['ada@example.com', 'acme.example']],
    ['J.R. Smith-Jones', ['j.r', 'smith', 'jones']],
  ])('searchWords splits %j into words', (text, words) => expect(searchWords(text)).toEqual(words))

  test.each([
    ['Grace Hopper', 'hopper grace', true],
    ['Grace Hopper', 'grace smith', false],
    ['100%', '%', true],
    ['100', '%', false],
  ])('hasWords checks %j for the words of %j', (text, search, expected) =>
    expect(hasWords(text, search)).toBe(expected),
  )
})

const PEOPLE = [
  { name: 'Grace Hopper', email: 'amazing@navy.example', job_title: 'Rear admiral' },
  { name: 'José Varga', phone: '+1 555 867 5309', job_title: 'Größe' },
  { name: 'Sinéad O’Neil', tags: ['été', 'vip'] },
  { name: '100%', job_title: 'Jo' },
  { name: 'Joanna Vargas', email: 'jo@example.com', tags: ['VIP'] },
]

async function filled(isIndexed: boolean): Promise<Org> {
  const org = await service.org()
  const { body } = await org.get<{ id: string }>('/objects/people')
  await org.post('/objects/people/attributes', { name: 'Tags', type: 'list' })
  if (isIndexed) await indexEmptyObject(service.ctx.db, body.id, { texts: 'presence', keepsMissing: true })
  await org.post('/objects/people/records/bulk', { records: PEOPLE.map((data) => ({ data })) })
  return org
}

interface Page {
  records: { data: { name: { firstName?: string; lastName?: string } } }[]
  pagination: { total: number }
}

const namesOf = ({ records }: Page) =>
  records.map(({ data: { name } }) => [name.firstName, name.lastName].filter(Boolean).join(' ')).sort()

describe.each([false, true])('q, index rows: %s', async (isIndexed) => {
  const org = await filled(isIndexed)

  test.each([
    ['hopper grace', ['Grace Hopper']],
    ['navy grace', ['Grace Hopper']],
    ['jose', ['José Varga']],
    ['varga jo', ['Joanna Vargas', 'José Varga']],
    ['grosse', ['José Varga']],
    ['oneil', ['Sinéad O’Neil']],
    ['vip', ['Joanna Vargas', 'Sinéad O’Neil']],
    ['ete VIP', ['Sinéad O’Neil']],
    ['867-5309', ['José Varga']],
    ['%', ['100%']],
    ['grace absent', []],
  ])('finds %s', async (q, expected) => {
    const listed = await org.get<Page>(`/objects/people/records?q=${encodeURIComponent(q)}`)
    const searched = await org.post<Page>('/objects/people/records/search', { q, sort: { field: 'name' } })
    const inTree = await org.post<Page>('/objects/people/records/search', {
      filter: { and: [{ q }] },
      count: true,
    })
    for (const { status, body } of [listed, searched, inTree]) {
      expect(status).toBe(200)
      expect(namesOf(body)).toEqual(expected)
      expect(body.pagination.total).toBe(expected.length)
    }
  })

  test('can be combined with filters', async () => {
    const filters = [{ attributeSlug: 'email', operator: 'isNotEmpty', value: 'true' }]
    const { body } = await org.post<Page>('/objects/people/records/search', { q: 'varga', filters })
    expect(namesOf(body)).toEqual(['Joanna Vargas'])
    const { body: any } = await org.post<Page>('/objects/people/records/search', {
      filter: { or: [{ q: 'hopper' }, { attributeSlug: 'job_title', operator: 'equals', value: 'Jo' }] },
    })
    expect(namesOf(any)).toEqual(['100%', 'Grace Hopper'])
  })
})

test.each(['', ' ', 'x'.repeat(201), 'a b c d e f g h i j k l m n o p q r s t u', '\0'])(
  'q is rejected: %j',
  async (q) => {
    const org = await service.org()
    expect((await org.get(`/objects/people/records?q=${encodeURIComponent(q)}`)).status).toBe(400)
    const reply = await org.post('/objects/people/records/search', { q })
    expect(reply.status).toBe(400)
    expectError(await org.post('/objects/people/records/search', { filter: { q } }), 'invalid_filter')
  },
)
