import { expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import { addUnsaved, addUnsavedChange, hasUnsaved, withUnsaved } from './unsaved-values.ts'

const record = (id: string) => ({ id, data: { name: 'Lamp', size: 'Small' } }) as unknown as CrmRecord

test('an older answer does not take values that are on their way off the page', () => {
  const sizeIsSaved = addUnsaved({ recordId: 'r1', slug: 'size', value: 'Large' })
  const nameIsSaved = addUnsaved({ recordId: 'r1', slug: 'name', value: null })
  expect(withUnsaved(record('r1')).data).toEqual({ size: 'Large' })
  expect(withUnsaved(record('r2')).data).toEqual({ name: 'Lamp', size: 'Small' })
  nameIsSaved()
  expect(withUnsaved(record('r1')).data).toEqual({ name: 'Lamp', size: 'Large' })
  sizeIsSaved()
  expect(withUnsaved(record('r1')).data).toEqual({ name: 'Lamp', size: 'Small' })
})

test('of two changes of a value the later one is seen, also when the earlier one is saved', () => {
  const firstIsSaved = addUnsaved({ recordId: 'r1', slug: 'size', value: 'Medium' })
  const secondIsSaved = addUnsaved({ recordId: 'r1', slug: 'size', value: 'Large' })
  expect(withUnsaved(record('r1')).data['size']).toBe('Large')
  firstIsSaved()
  expect(withUnsaved(record('r1')).data['size']).toBe('Large')
  secondIsSaved()
})

test('a change on its way holds live updates back until it is over', () => {
  const settle = addUnsavedChange()
  const other = addUnsavedChange()
  settle()
  expect(hasUnsaved()).toBe(true)
  other()
  expect(hasUnsaved()).toBe(false)
})
