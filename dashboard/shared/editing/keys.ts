// The shortcuts of all editors.
export type Key = Pick<KeyboardEvent, 'key' | 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey'>

export type EditAction = 'undo' | 'redo' | 'save'

const WITH_MOD: Readonly<Record<string, EditAction>> = { z: 'undo', y: 'redo', s: 'save' }

export function editActionOf({ key, altKey, shiftKey, ctrlKey, metaKey }: Key): EditAction | undefined {
  if (altKey || !(ctrlKey || metaKey)) return undefined
  const name = key.toLowerCase()
  if (shiftKey) return name === 'z' ? 'redo' : undefined
  return WITH_MOD[name]
}
