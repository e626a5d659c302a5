import type { DemoReply, DemoRequest, Story } from '../story.ts'
import { failing } from './failing.ts'
import { greeting } from './greeting.ts'
import { long } from './long.ts'
import { summary } from './summary.ts'
import { tools } from './tools.ts'

/** In order of precedence; the greeting takes whatever is left. */
export const STORIES: readonly Story[] = [summary, failing, long, tools, greeting]

/** What the demo answers to a request. Pure: the same messages always give the same answer. */
export const tell = (request: DemoRequest): DemoReply =>
  (STORIES.find((story) => story.matches(request)) ?? greeting).reply(request)
