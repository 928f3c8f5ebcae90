// "joined with company of deal": the joins of the report.
import { Button, List, Radio, Stack, Text } from '@mantine/core'
import { JOINS_MAX } from '../../../../contract/report-states.ts'
import type { ReportJoin } from '../../../../contract/reports.ts'
import { objectIcon } from '../../../shared/icons.ts'
import { inSentence } from '../../../shared/values/in-sentence.ts'
import { Add } from './add-button.tsx'
import { useBuilder } from './builder-context.ts'
import { aliasesWith, withoutAliases } from './dependents.ts'
import { joinChoices, joinName } from './join-choices.ts'
import { PartChip } from './part-chip.tsx'
import { partOf } from './problem-places.ts'
import { removedWith } from './removed-with.ts'
import { modelOf } from './report-objects.ts'
import { Sentence } from './sentence.tsx'

function useRemoval(index: number) {
  const { draft, act, objects, fields, announce } = useBuilder()
  const parents = objects.slice(1).map(({ parent }) => parent)
  const rest = withoutAliases(draft, aliasesWith(draft, index, parents))
  const removed = removedWith(draft, rest, { objects, fields })
  const remove = () => {
    act({ does: 'removeJoin', index, parents })
    if (removed.length > 0) announce(`Also removed: ${removed.join(', ')}`)
  }
  return { removed, remove }
}

function JoinForm({ join, index, close }: { join: ReportJoin; index: number; close(): void }) {
  const { act, objects } = useBuilder()
  const { removed, remove } = useRemoval(index)
  const own = objects[index + 1]
  const from = objects.find(({ alias }) => alias === own?.parent)
  const [one, other] = [inSentence(from?.name ?? 'record'), inSentence(own?.name ?? 'record')]
  return (
    <Stack gap="sm">
      <Radio.Group
        aria-label="Which records"
        value={join.type ?? 'left'}
        onChange={(type) => act({ does: 'joinType', index, type: type === 'inner' ? 'inner' : 'left' })}
      >
        <Stack gap="xs">
          <Radio value="left" label={`Every ${one}, with or without ${other}`} data-autofocus />
          <Radio value="inner" label={`Only those with ${other}`} />
        </Stack>
      </Radio.Group>
      {removed.length > 0 && (
        <Text c="dimmed" component="div">
          Removing it also removes:
          <List size="sm" mt={4}>
            {removed.map((words) => (
              <List.Item key={words}>{words}</List.Item>
            ))}
          </List>
        </Text>
      )}
      <Button
        variant="default"
        onClick={() => {
          close()
          remove()
        }}
      >
        Remove this join
      </Button>
    </Stack>
  )
}

function Join({ join, index }: { join: ReportJoin; index: number }) {
  const { models, objects, problemsOf } = useBuilder()
  const { removed, remove } = useRemoval(index)
  const name = joinName(models, objects, join)
  const isBroken = problemsOf('joins').some((problem) => partOf(problem)?.index === index)
  const words = join.type === 'inner' ? `only those with ${inSentence(name)}` : name
  const form = (close: () => void) => <JoinForm join={join} index={index} close={close} />
  return (
    <PartChip
      name={name}
      words={words}
      isBroken={isBroken}
      onRemove={remove}
      isRemovalAsked={removed.length > 0}
      form={form}
    />
  )
}

export function JoinSentence() {
  const { draft, act, models, objects } = useBuilder()
  const { joins = [] } = draft
  const choices = joinChoices(models, objects, joins)
  const groups = objects.map(({ alias, name }) => ({
    name,
    choices: choices
      .map((choice, place) => ({ choice, place }))
      .filter(({ choice }) => choice.from === alias)
      .map(({ choice, place }) => ({
        value: String(place),
        label: choice.name,
        icon: objectIcon(modelOf(models, choice.object)?.slug ?? ''),
      })),
  }))
  const pick = (value: string) => {
    const choice = choices[Number(value)]
    if (choice) act({ does: 'join', join: choice.join })
  }
  return (
    <Sentence name="joins" lead="joined with">
      {joins.map((join, index) => (
        <Join key={join.alias} join={join} index={index} />
      ))}
      <Add
        label="Join"
        fullReason={joins.length >= JOINS_MAX ? `A report has at most ${JOINS_MAX} joins` : undefined}
        placeholder="Find what to join"
        groups={groups}
        onPick={pick}
      />
    </Sentence>
  )
}
