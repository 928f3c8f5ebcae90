// Who took part: members of the organization, and people.
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { membersQuery } from '../../../shared/api/members.ts'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { recordNameQuery } from '../../../shared/api/record-names.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import type { Option } from '../../../shared/values/found-options.ts'
import { useFoundRecords } from '../../../shared/values/reference-picker.tsx'
import type { Participant } from '../api.ts'
import { FoundSelect } from './found-select.tsx'
import { participantKey, participantOf } from './keys.ts'

function useMembers(text: string): { all: Option[]; found: Option[] } {
  const { data: members = [] } = useQuery(membersQuery(useOrg()))
  const all = members.map(({ user }) => ({
    value: participantKey({ type: 'user', id: user.id }),
    label: user.name || user.email,
  }))
  const wanted = text.trim().toLowerCase()
  return { all, found: all.filter(({ label }) => label.toLowerCase().includes(wanted)) }
}

/** The object whose records can take part. */
export function usePeopleId(): string {
  const { data: objects = [] } = useQuery(objectsQuery(useOrg()))
  return objects.find(({ slug }) => slug === 'people')?.id ?? 'people'
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
  const { options, isFresh } = useFoundRecords(peopleId, text)
  const found = options.map(({ value: id, label }) => ({
    value: participantKey({ type: 'person', id }),
    label,
  }))
  const keys = new Set(value.map(participantKey))
  const chosenMembers = members.all.filter(({ value: key }) => keys.has(key))
  const isFree = ({ value: key }: Option) => !keys.has(key)
  const data = [
    { group: 'Members', items: [...chosenMembers, ...members.found.filter(isFree)] },
    { group: 'People', items: [...chosen, ...found.filter(isFree)] },
  ]
  return { data, isFresh }
}

interface ParticipantsPickerProps {
  value: readonly Participant[]
  onChange(value: Participant[]): void
}

export function ParticipantsPicker({ value, onChange }: ParticipantsPickerProps) {
  const [text, setText] = useState('')
  const { data, isFresh } = useParticipantOptions(value, text)
  return (
    <FoundSelect
      label="Participants"
      placeholder="Members and people"
      data={data}
      isFresh={isFresh}
      value={value.map(participantKey)}
      onChange={(keys) => onChange(keys.map(participantOf))}
      text={text}
      onText={setText}
      nothingFound="No matching people"
    />
  )
}
