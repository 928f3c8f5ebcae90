import { expect, test } from 'vitest'
import { makePipeline, PIPELINE_SIZE } from './pipeline.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const pipeline = makePipeline(NOW)
const { companies, people, deals, activities } = pipeline

test('it is the same every time', () => {
  expect(makePipeline(NOW)).toEqual(pipeline)
})

test('it has the size it says', () => {
  expect({
    companies: companies.length,
    people: people.length,
    deals: deals.length,
    activities: activities.length,
  }).toEqual(PIPELINE_SIZE)
})

test('every record says that it is fictional, and no address reaches anyone', () => {
  for (const { data } of [...companies, ...people, ...deals]) expect(data['fictional']).toBe(true)
  for (const { data } of people) {
    expect(data['email']).toMatch(/^[a-z.]+@[a-z-]+\.example\.com$/)
    expect(data['phone']).toMatch(/^\+1 202-555-01\d\d$/)
  }
  for (const { summary } of activities) expect(summary).toContain('Fictional')
})

test('unique values are unique', () => {
  expect(new Set(people.map(({ data }) => data['email'])).size).toBe(people.length)
  expect(new Set(companies.map(({ domain }) => domain)).size).toBe(companies.length)
})

test('deals are with people of the company, opened in the last twelve months', () => {
  const yearAgo = new Date('2025-11-20T10:00:00.000Z')
  for (const { company, people: involved, openedAt, data } of deals) {
    expect(involved.map((one) => people[one]?.company)).toEqual(involved.map(() => company))
    expect(openedAt >= yearAgo && openedAt <= NOW).toBe(true)
    const isDecided = data['stage'] === 'Won' || data['stage'] === 'Lost'
    expect(isDecided).toBe(String(data['close_date']) <= '2026-11-20')
  }
  expect(new Set(deals.map(({ data }) => data['stage'])).size).toBe(5)
})

test('activities happened while their deal was on', () => {
  for (const { deal, at } of activities) {
    const { openedAt, lastAt } = deals[deal] ?? { openedAt: NOW, lastAt: NOW }
    expect(at >= openedAt && at <= lastAt).toBe(true)
  }
  expect(new Set(activities.map(({ deal }) => deal)).size).toBe(deals.length)
})
