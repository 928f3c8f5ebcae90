// "by sector of company, close date (quarter)"
import { GROUP_BY_MAX } from '../../../../contract/report-states.ts'
import type { ReportGroupBy } from '../../../../contract/reports.ts'
import { Add } from './add-button.tsx'
import { useBuilder } from './builder-context.ts'
import { groupWords } from './builder-words.ts'
import { fieldChoices } from './field-choices.ts'
import { GroupForm } from './group-form.tsx'
import { PartChip } from './part-chip.tsx'
import { partOf } from './problem-places.ts'
import { canGroup } from './report-fields.ts'
import { Sentence } from './sentence.tsx'

function Group({ group, index, count }: { group: ReportGroupBy; index: number; count: number }) {
  const { act, objects, fields, problemsOf } = useBuilder()
  const words = groupWords({ objects, fields }, group)
  return (
    <PartChip
      name={words}
      words={words}
      isBroken={problemsOf('groupBy').some((problem) => partOf(problem)?.index === index)}
      position={{ list: 'groupBy', key: group.key, index, count }}
      onRemove={() => act({ does: 'remove', list: 'groupBy', index })}
      form={() => <GroupForm group={group} index={index} />}
    />
  )
}

export function GroupSentence() {
  const { draft, act, objects, fields } = useBuilder()
  const { groupBy = [] } = draft
  const pick = (value: string) => {
    const field = fields.find(({ slug }) => slug === value)
    if (field) act({ does: 'group', field })
  }
  return (
    <Sentence name="groupBy" lead="by" zone="groupBy">
      {groupBy.map((group, index) => (
        <Group key={group.key} group={group} index={index} count={groupBy.length} />
      ))}
      <Add
        label="Group"
        fullReason={
          groupBy.length >= GROUP_BY_MAX ? `A report has at most ${GROUP_BY_MAX} groups` : undefined
        }
        placeholder="Find a field"
        groups={fieldChoices(objects, fields, canGroup)}
        onPick={pick}
      />
    </Sentence>
  )
}
