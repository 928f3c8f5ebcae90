import { Stack } from '@mantine/core'
import { useState } from 'react'
import { Chooser, findChoices } from '../ui/chooser.tsx'
import { MultiPicker } from '../ui/multi-picker.tsx'
import { Section } from '../ui/sections.tsx'
import { Select } from '../ui/select.tsx'

const STAGES = ['Lead', 'Qualified', 'Proposal', 'Won', 'Lost']

const FIELDS = [
  { name: '', choices: ['Name', 'Stage'].map((label) => ({ value: label, label })) },
  { name: 'Company', choices: [{ value: 'domain', label: 'Domain', description: 'Its host name' }] },
]

export function Pickers() {
  const [stage, setStage] = useState<string | null>('Lead')
  const [stages, setStages] = useState<string[]>(['Won', 'Lost'])
  return (
    <Section title="Pickers" description="By mouse, by typing, and by the arrow keys.">
      <Stack maw={420}>
        <Select label="Stage" data={STAGES} value={stage} onChange={setStage} searchable clearable />
        <Select label="Empty" data={STAGES} value={null} placeholder="Choose a stage" />
        <Select label="Refused stage" data={STAGES} value="Lost" error="must be an open stage" />
        <Select label="Disabled stage" data={STAGES} value="Lost" disabled />
        <MultiPicker label="Stages" data={STAGES} value={stages} onChange={setStages} searchable />
        <Chooser
          placeholder="Find a field"
          find={(typed) => findChoices(FIELDS, typed)}
          onPick={() => undefined}
        />
      </Stack>
    </Section>
  )
}
