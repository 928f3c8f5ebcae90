import { describe, expect, test } from 'vitest'
import { createConnectionTime } from './connection-time.ts'

/** A limit of one sustained connection for each organization, and a clock in seconds. */
function usage() {
  let now = 0
  const time = createConnectionTime<string>({ sustained: 1, now: () => now })
  return {
    ...{ use: (key: string) => time.use(key), isOver: (key: string) => time.isOver(key) },
    wait(seconds: number) {
      now += seconds * 1000
    },
    /** Keeps `connections` in use for `seconds`, while 'b' briefly uses one each second. */
    keepBusy(key: string, connections: number, seconds: number) {
      const ends = Array.from({ length: connections }, () => time.use(key))
      for (let second = 0; second < seconds; second++) {
        now += 1000
        time.use('b')()
      }
      for (const end of ends) end()
    },
  }
}

describe('an organization among others', () => {
  test.each([
    ['a short burst of many connections is within the limit', 4, 1, false],
    ['one connection in constant use is within the limit', 1, 600, false],
    ['two connections for six seconds are over the limit', 2, 6, true],
    ['four connections for two seconds are over the limit', 4, 2, true],
  ])('%s', (_, connections, seconds, isOver) => {
    const org = usage()
    org.keepBusy('a', connections, seconds)
    expect(org.isOver('a')).toBe(isOver)
    expect(org.isOver('b')).toBe(false)
  })

  test('is over its limit while its connections are still in use', () => {
    const org = usage()
    for (let n = 0; n < 4; n++) org.use('a')
    org.wait(3)
    org.use('b')()
    expect(org.isOver('a')).toBe(true)
  })

  test('is within its limit again ten seconds after any excess', () => {
    const org = usage()
    org.keepBusy('a', 10, 600)
    expect(org.isOver('a')).toBe(true)
    org.keepBusy('a', 0, 9)
    expect(org.isOver('a')).toBe(true)
    org.keepBusy('a', 0, 2)
    expect(org.isOver('a')).toBe(false)
  })
})

test('an organization is never over its limit while no other uses the database', () => {
  const org = usage()
  const ends = Array.from({ length: 4 }, () => org.use('a'))
  org.wait(600)
  expect(org.isOver('a')).toBe(false)
  for (const end of ends) end()
  org.use('b')()
  org.use('a')()
  org.use('a')()
  expect(org.isOver('a')).toBe(true)
  org.wait(11)
  expect(org.isOver('a')).toBe(false)
})

test('ending a use more than once counts once', () => {
  const org = usage()
  const end = org.use('a')
  for (let times = 0; times < 3; times++) end()
  org.keepBusy('a', 4, 2)
  expect(org.isOver('a')).toBe(true)
})

test('idle accounts are removed, accounts in debt are kept', () => {
  const org = usage()
  org.keepBusy('a', 10, 600)
  for (let n = 0; n < 5000; n++) org.use(`once ${n}`)()
  expect(org.isOver('a')).toBe(true)
})
