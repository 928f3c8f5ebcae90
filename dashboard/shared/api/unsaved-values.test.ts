import { expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import { addUnsaved, addUnsavedChange, hasUnsaved, withUnsaved } from './unsaved-values.ts'

const record = (id: string) => ({ id, data: { name: 'Lamp', size: 'Small' } }) as unknown as CrmRecord

test('an older response does not overwrite unsaved values', () => {
  const sizeIsSaved = addUnsaved({ recordId: 'r1', slug: 'size', value: 'Large' })
  const nameIsSaved = addUnsaved({ recordId: 'r1', slug: 'name', value: null })
  expect(withUnsaved(record('r1')).data).toEqual({ size: 'Large' })
  expect(withUnsaved(record('r2')).data).toEqual({ name: 'Lamp', size: 'Small' })
  nameIsSaved()
  expect(withUnsaved(record('r1')).data).toEqual({ name: 'Lamp', size: 'Large' })
  sizeIsSaved()
  expect(withUnsaved(record('r1')).data).toEqual({ name: 'Lamp', size: 'Small' })
})

test('of two unsaved changes of a value, the later one is shown, also after the earlier one was saved', () => {
  const firstIsSaved = addUnsaved({ recordId: 'r1', slug: 'size', value: 'Medium' })
  const secondIsSaved = addUnsaved({ recordId: 'r1', slug: 'size', value: 'Large' })
  expect(withUnsaved(record('r1')).data['size']).toBe('Large')
  firstIsSaved()
  expect(withUnsaved(record('r1')).data['size']).toBe('Large')
  secondIsSaved()
})

test('hasUnsaved is true until every change is saved', () => {
  const settle = addUnsavedChange()
  const other = addUnsavedChange()
  settle()
  expect(hasUnsaved()).toBe(true)
  other()
  expect(hasUnsaved()).toBe(false)
})
