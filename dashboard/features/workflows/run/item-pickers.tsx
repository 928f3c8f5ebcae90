// Chooses the shown item of each loop: of the loops around a step, and of the loop itself.
import { Group, NativeSelect } from '@mantine/core'
import { counted } from '../../../../contract/counted.ts'
import type { CanvasNode } from '../canvas/layout.ts'
import { STEP_WORDS } from '../run-words.ts'
import { type ItemChoice, itemChoices } from './item-choices.ts'
import { pathOf, type Trail } from './run-steps.ts'
import type { LookedAt } from './use-looked-at.ts'

interface ItemPickersProps {
  trail: Trail
  looked: LookedAt
  node: CanvasNode
}

export function ItemPickers({ trail, looked, node }: ItemPickersProps) {
  const choices = itemChoices(looked.path, node, trail)
  const choose = ({ loop, outer, isOwn }: ItemChoice, index: number) =>
    looked.go(isOwn ? `${loop}.items[${index}]` : pathOf(node.runPath, trail, { ...outer, [loop]: index }))
  if (choices.length === 0) return null
  return (
    <Group grow gap={8} mb={12}>
      {choices.map((choice) => (
        <NativeSelect
          key={choice.loop}
          label={choices.length > 1 ? `Item, level ${choice.level}` : 'Item'}
          size="xs"
          maw={180}
          value={choice.current ?? ''}
          onChange={({ currentTarget }) =>
            currentTarget.value !== '' && choose(choice, Number(currentTarget.value))
          }
        >
          {choice.current === undefined && <option value="">{counted(choice.items.length, 'item')}</option>}
          {choice.items.map(({ index, state }) => (
            <option key={index} value={index}>
              {index + 1}: {STEP_WORDS[state].word.toLowerCase()}
            </option>
          ))}
        </NativeSelect>
      ))}
    </Group>
  )
}
