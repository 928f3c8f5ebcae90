import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { draftKey, forgetDrafts, forgetDraftsOfOthers, readDraft, writeDraft } from './draft-store.ts'

const kept = new Map<string, string>()
const storage = {
  get length() {
    return kept.size
  },
  key: (index: number) => [...kept.keys()][index] ?? null,
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key),
}

beforeEach(() => {
  kept.clear()
  vi.stubGlobal('sessionStorage', storage)
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const key = (place: number) => draftKey('ada', 'initech', String(place))

test('a draft is found only for its user, organization and place', () => {
  writeDraft(draftKey('ada', 'initech', 'note'), { title: 'Call' })
  expect(readDraft(draftKey('ada', 'initech', 'note'))).toEqual({ title: 'Call' })
  expect(readDraft(draftKey('bob', 'initech', 'note'))).toBe(undefined)
  expect(readDraft(draftKey('ada', 'hooli', 'note'))).toBe(undefined)
  expect(readDraft(draftKey('ada', 'initech', 'create'))).toBe(undefined)
})

test('the oldest of more than 20 drafts is removed', () => {
  for (let place = 0; place < 25; place++) {
    vi.setSystemTime(place)
    writeDraft(key(place), { place })
  }
  expect(kept.size).toBe(20)
  expect(readDraft(key(4))).toBe(undefined)
  expect(readDraft(key(5))).toEqual({ place: 5 })
  vi.setSystemTime(100)
  writeDraft(key(5), { place: 'changed' })
  expect(kept.size).toBe(20)
  expect(readDraft(key(6))).toEqual({ place: 6 })
})

test('a draft that is too long or has no fields is removed', () => {
  writeDraft(key(1), { title: 'Call' })
  writeDraft(key(1), { title: 'x'.repeat(200_000) })
  writeDraft(key(2), { title: 'Call' })
  writeDraft(key(2), {})
  expect(kept.size).toBe(0)
})

test('forgetDrafts removes all drafts and no other data', () => {
  writeDraft(key(1), { title: 'Call' })
  kept.set('rapport-portal', '{}')
  forgetDrafts()
  expect([...kept.keys()]).toEqual(['rapport-portal'])
})

test('forgetDraftsOfOthers keeps the drafts of the user and removes all others', () => {
  writeDraft(draftKey('ada', 'initech', 'note'), { title: 'Call' })
  writeDraft(draftKey('bob', 'initech', 'note'), { title: 'Visit' })
  kept.set('rapport-portal', '{}')
  forgetDraftsOfOthers('bob')
  expect([...kept.keys()]).toEqual([draftKey('bob', 'initech', 'note'), 'rapport-portal'])
})

test('without usable storage, no draft is found and no call fails', () => {
  kept.set(key(1), 'no JSON')
  expect(readDraft(key(1))).toBe(undefined)
  kept.set(key(1), '[1]')
  expect(readDraft(key(1))).toBe(undefined)
  vi.stubGlobal('sessionStorage', undefined)
  writeDraft(key(1), { title: 'Call' })
  forgetDrafts()
  expect(readDraft(key(1))).toBe(undefined)
})
