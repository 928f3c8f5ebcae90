import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'

/** The way out of a page that is not there. */
export function GoHome() {
  return (
    <Button variant="default" component={Link} to="/">
      Go home
    </Button>
  )
}
