import { expect, test } from 'vitest'
import { type Person, personAt } from './people.ts'
import { questionsOf, RARE_WORD } from './questions.ts'
import { RARE_CITY } from './words.ts'

const COUNT = 50_000
const people = Array.from({ length: COUNT }, (_, n) => personAt(n))
const shareOf = (has: (person: Person) => boolean) => people.filter(has).length / COUNT

test('a number always gives the same person, and different numbers give different persons', () => {
  expect(personAt(7)).toEqual(personAt(7))
  expect(personAt(8)).not.toEqual(personAt(7))
})

test('email addresses differ between people, and between marks', () => {
  expect(new Set(people.map(({ email }) => email)).size).toBe(COUNT)
  expect(personAt(7, { mark: 'new-' }).email).toBe(`new-${personAt(7).email}`)
})

test('people work only for existing companies', () => {
  const companies = { count: 3, idOf: (nth: number) => `company ${nth}` }
  const ids = people.slice(0, 100).map((_, n) => personAt(n, { companies }).company)
  expect([...new Set(ids)].toSorted()).toEqual(['company 0', 'company 1', 'company 2'])
})

test.each<[name: string, share: number, has: (person: Person) => boolean]>([
  ['Software', 0.2, ({ industry }) => industry === 'Software'],
  ['Mining', 0.0001, ({ industry }) => industry === 'Mining'],
  ['more than 59,201 employees', 0.001, ({ employees }) => employees > 59_201],
  ['more than 19,943 employees', 0.1, ({ employees }) => employees > 19_943],
  ['more than 2 employees', 0.9, ({ employees }) => employees > 2],
  ['a rare city', 0.0004, ({ city }) => city === RARE_CITY],
  ['a city with ville', 0.06, ({ city }) => city.includes('ville')],
  ['a rare word in the notes', 0.003, ({ notes }) => notes.includes(RARE_WORD)],
  ['mari', 0.011, ({ name }) => name.firstName.startsWith('Mari')],
  ['mail.test', 1 / 7, ({ email }) => email.endsWith('@mail.test')],
  ['LinkedIn', 0.05, ({ linkedin }) => linkedin !== undefined],
  ['customer', 0.1, (person) => person.is_customer],
])('the share of %s is about %d', (_, share, has) => {
  const deviation = Math.sqrt((share * (1 - share)) / COUNT)
  expect(Math.abs(shareOf(has) - share)).toBeLessThan(Math.max(4 * deviation, share * 0.15))
})

test('question names are unique, and do not depend on the number of records', () => {
  const names = questionsOf(1_000_000, personAt(7)).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(questionsOf(1, personAt(0)).map(({ name }) => name)).toEqual(names)
})
