// Generated people and companies with realistic values, the same in every run.
import { en, Faker } from '@faker-js/faker'

export interface Person {
  name: { firstName: string; lastName: string }
  phone: string
  job_title: string
}

export interface Company {
  name: string
  domain: string
}

const SEED = 2026

/** People of each organization. */
export const PEOPLE = 300

/** Email address of the nth person. */
export const emailOf = (nth: number): string => `person-${nth}@example.com`

function seeded(): Faker {
  const faker = new Faker({ locale: en })
  faker.seed(SEED)
  return faker
}

export function makePeople(count: number): Person[] {
  const { person, phone } = seeded()
  return Array.from({ length: count }, () => ({
    name: { firstName: person.firstName(), lastName: person.lastName() },
    phone: phone.number({ style: 'international' }),
    job_title: person.jobTitle(),
  }))
}

export function makeCompanies(count: number): Company[] {
  const { company } = seeded()
  return Array.from({ length: count }, (_, index) => ({
    name: company.name(),
    domain: `company-${index}.example.com`,
  }))
}
