// Chooses an attribute by its name, also an attribute along a reference. Attributes along two references are offered
// only for typed text.
import { TYPES } from '../../types/types.ts'
import { Chooser, findChoices } from '../../ui/chooser.tsx'
import type { Attribute } from '../api/objects.ts'
import { useAlong } from './along.ts'

interface AttributePickerProps {
  attributes: readonly Attribute[]
  onPick(attribute: Attribute): void
}

const choiceOf = ({ id, name, type }: Attribute) => ({ value: id, label: name, icon: TYPES[type].icon })

export function AttributePicker({ attributes, onPick }: AttributePickerProps) {
  const { near, far } = useAlong(attributes, true)
  const all = [...attributes, ...near, ...far]
  const find = (typed: string) => {
    const offered = typed.trim() === '' ? [...attributes, ...near] : all
    return findChoices([{ name: '', choices: offered.map(choiceOf) }], typed)
  }
  const pick = (chosen: string) => {
    const found = all.find(({ id }) => id === chosen)
    if (found) onPick(found)
  }
  return <Chooser placeholder="Find an attribute" find={find} empty="No matching attributes" onPick={pick} />
}
