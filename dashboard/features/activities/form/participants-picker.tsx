// Chooses participants: members of the organization and people.
import { useQueries, useQuery } from '@tanstack/react-query'
import { membersQuery } from '../../../shared/api/members.ts'
import { recordNameQuery } from '../../../shared/api/record-names.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { nothingFound, useFoundRecords } from '../../../shared/values/reference-picker.tsx'
import type { Option } from '../../../ui/found-options.ts'
import { MultiPicker } from '../../../ui/multi-picker.tsx'
import { type Nouns, useTyping } from '../../../ui/use-open-text.tsx'
import type { Participant } from '../api.ts'
import { participantKey, participantOf } from '../list/keys.ts'
import { usePeopleId } from './use-people-id.ts'

const NOUNS: Nouns = { one: 'person', many: 'people' }

function useMembers(text: string): { all: Option[]; found: Option[] } {
  const { data: members = [] } = useQuery(membersQuery(useOrg()))
  const all = members.map(({ user }) => ({
    value: participantKey({ type: 'user', id: user.id }),
    label: user.name || user.email,
    hint: user.name ? user.email : undefined,
  }))
  const wanted = text.trim().toLowerCase()
  return {
    all,
    found: all.filter(({ label, hint = '' }) => `${label} ${hint}`.toLowerCase().includes(wanted)),
  }
}

function useChosenPeople(objectId: string, value: readonly Participant[]): Option[] {
  const org = useOrg()
  const people = value.filter(({ type }) => type === 'person')
  const names = useQueries({
    queries: people.map(({ id }) => recordNameQuery(org, { objectId, recordId: id })),
  })
  return people.map((one, index) => ({ value: participantKey(one), label: names[index]?.data ?? '…' }))
}

function useParticipantOptions(value: readonly Participant[], text: string) {
  const peopleId = usePeopleId()
  const members = useMembers(text)
  const chosen = useChosenPeople(peopleId, value)
  const records = useFoundRecords(peopleId, text)
  const people = records.options.map((one) => ({
    ...one,
    value: participantKey({ type: 'person', id: one.value }),
  }))
  const found = { ...records, options: [...members.found, ...people] }
  const keys = new Set(value.map(participantKey))
  const chosenMembers = members.all.filter(({ value: key }) => keys.has(key))
  const isFree = ({ value: key }: Option) => !keys.has(key)
  const data = [
    { group: 'Members', items: [...chosenMembers, ...members.found.filter(isFree)] },
    { group: 'People', items: [...chosen, ...people.filter(isFree)] },
  ]
  return { data, found, nothingFoundMessage: nothingFound(found, NOUNS) }
}

interface ParticipantsPickerProps {
  value: readonly Participant[]
  onChange(value: Participant[]): void
}

export function ParticipantsPicker({ value, onChange }: ParticipantsPickerProps) {
  const typing = useTyping()
  const options = useParticipantOptions(value, typing.text ?? '')
  return (
    <MultiPicker
      {...options}
      label="Participants"
      placeholder={value.length === 0 ? 'Members and people' : ''}
      typing={typing}
      nouns={NOUNS}
      value={value.map(participantKey)}
      onChange={(keys) => onChange(keys.map(participantOf))}
    />
  )
}
