// A form that keeps what is entered, and offers what was entered before it was left.
import { Button, Group, Text } from '@mantine/core'
import type { ComponentProps, FormEvent, MouseEvent } from 'react'
import type { FormDraft, Offer } from './use-draft.ts'

const FIELD = 'input:not([type=hidden], [type=radio], [type=checkbox]), textarea'

/** The offer is removed then: the first field of the form has the focus. */
const thenFocus =
  (act: () => void) =>
  ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const form = currentTarget.closest('form')
    act()
    requestAnimationFrame(() => form?.querySelector<HTMLElement>(FIELD)?.focus())
  }

function DraftOffer({ onRestore, onDiscard }: Offer) {
  return (
    <section className="row wrap gap-8 box sunken" aria-label="Draft">
      <Text flex={1}>You have an unsaved draft.</Text>
      <Group gap="xs" wrap="nowrap">
        <Button variant="subtle" color="gray" onClick={thenFocus(onDiscard)}>
          Discard
        </Button>
        <Button variant="default" onClick={thenFocus(onRestore)}>
          Restore draft
        </Button>
      </Group>
    </section>
  )
}

interface DraftFormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  draft: Pick<FormDraft<never>, 'offer'>
  onSubmit(event: FormEvent<HTMLFormElement>): unknown
}

/** The browser does not send it. */
export function DraftForm({ draft: { offer }, onSubmit, children, ...form }: DraftFormProps) {
  return (
    <form
      className="stack gap-12"
      {...form}
      data-asks="no"
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit(event)
      }}
    >
      {offer && <DraftOffer {...offer} />}
      {children}
    </form>
  )
}
