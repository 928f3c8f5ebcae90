import { expect, test } from 'vitest'
import { RULES } from '../test/page-words/rules.ts'
import { makePipeline, PIPELINE_SIZE, SELLERS } from './pipeline.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const pipeline = makePipeline(NOW)
const { companies, people, deals, activities, appointments, tasks } = pipeline

test('the pipeline is the same every time', () => {
  expect(makePipeline(NOW)).toEqual(pipeline)
})

test('the pipeline has the documented size', () => {
  expect({
    companies: companies.length,
    people: people.length,
    deals: deals.length,
    activities: activities.length,
    appointments: appointments.length,
    tasks: tasks.length,
  }).toEqual(PIPELINE_SIZE)
})

test('every record says once that it is fictional, and no address can reach anyone', () => {
  for (const { data } of [...companies, ...people, ...deals])
    expect([data['fictional'], JSON.stringify(data).match(/fictional/gi)]).toEqual([true, ['fictional']])
  for (const { data } of people) {
    expect(data['email']).toMatch(/^[a-z.]+@[a-z-]+\.example\.com$/)
    expect(data['phone']).toMatch(/^\+1 202-555-01\d\d$/)
  }
})

test('unique values are unique', () => {
  expect(new Set(people.map(({ data }) => data['email'])).size).toBe(people.length)
  expect(new Set(companies.map(({ domain }) => domain)).size).toBe(companies.length)
})

test('deals are with people of their company, and were opened in the last twelve months', () => {
  const yearAgo = new Date('2025-11-20T10:00:00.000Z')
  for (const { company, people: involved, openedAt, data } of deals) {
    expect(involved.map((one) => people[one]?.company)).toEqual(involved.map(() => company))
    expect(openedAt >= yearAgo && openedAt <= NOW).toBe(true)
    const isDecided = data['stage'] === 'Won' || data['stage'] === 'Lost'
    expect(isDecided).toBe(String(data['close_date']) <= '2026-11-20')
  }
  expect(new Set(deals.map(({ data }) => data['stage'])).size).toBe(5)
})

test('activities happened while their deal was open', () => {
  for (const { deal, at } of activities) {
    const { openedAt, lastAt } = deals[deal] ?? { openedAt: NOW, lastAt: NOW }
    expect(at >= openedAt && at <= lastAt).toBe(true)
  }
  expect(new Set(activities.map(({ deal }) => deal)).size).toBe(deals.length)
})

const isOfficeTime = (at: Date) => at.getUTCDay() % 6 !== 0 && at.getUTCHours() >= 9 && at.getUTCHours() <= 17

test('most activities are in office hours, and none repeats the name of its deal', () => {
  const count = activities.filter(({ at }) => isOfficeTime(at)).length
  expect(count).toBeGreaterThan(activities.length * 0.8)
  expect(activities.filter(({ title, deal }) => title.includes(deals[deal]?.name ?? ''))).toEqual([])
})

test('appointments are on the next working days in office hours, about open deals', () => {
  expect(appointments.every(({ at }) => at > NOW && isOfficeTime(at))).toBe(true)
  const stages = appointments.map(({ deal }) => deals[deal]?.data['stage'])
  expect(stages.filter((stage) => stage === 'Won' || stage === 'Lost')).toEqual([])
  expect(appointments.some(({ deal }) => deals[deal]?.owner === 0)).toBe(true)
})

test('the texts use American spelling', () => {
  const spelling = RULES.find(({ title }) => title === 'has a British spelling')
  expect(spelling?.faults(JSON.stringify(pipeline))).toEqual([])
})

test('each member of the team owns deals, and the demo user owns the most', () => {
  const owned = (place: number) => deals.filter(({ owner }) => owner === place).length
  const counts = Array.from({ length: SELLERS }, (_, place) => owned(place))
  expect(Math.min(...counts)).toBeGreaterThan(0)
  expect(Math.max(...counts)).toBe(counts[0])
})

test('tasks are about open deals: some are due today, some overdue, some done', () => {
  for (const { deal } of tasks)
    expect(['Lead', 'Qualified', 'Proposal']).toContain(deals[deal]?.data['stage'])
  const today = tasks.filter(({ dueAt }) => dueAt.toISOString().startsWith('2026-11-20'))
  const overdue = tasks.filter(({ dueAt, isDone }) => dueAt < NOW && !isDone)
  expect([today.length, overdue.length, tasks.filter(({ isDone }) => isDone).length]).toEqual([3, 3, 3])
  expect(today.some(({ deal }) => deals[deal]?.owner === 0)).toBe(true)
})

test('the last company and the last person are duplicates of the first', () => {
  expect(companies.at(-1)?.name).toBe(companies[0]?.name)
  expect(companies.at(-1)?.domain).not.toBe(companies[0]?.domain)
  expect(people.at(-1)?.data['name']).toEqual(people[0]?.data['name'])
  expect(people.at(-1)?.company).toBe(people[0]?.company)
})
