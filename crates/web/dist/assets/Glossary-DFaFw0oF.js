import{C as e,I as t,K as n,L as r,O as i,P as a,Q as o,R as s,V as c,Z as l,at as u,bt as d,et as f,it as p,j as m,k as h,mt as g,n as _,nt as v,o as y,p as b,pt as x,rt as S,yt as C}from"./disclose-version-2VgdgIVP.js";import"./index-C7fs0plS.js";var w=`# Glossary

Each word has one meaning in the code, on the command line, in the web app and in this book. Code uses the same words in
the forms of Rust: \`DecisionTable\`, \`game_history\`.

## Alpha-beta search

The search that finds the same value as looking at every line of play to a given depth (minimax), but skips lines that
cannot change the result.

## Archive

The place from which the trainer reads champions of the past, one by one. For a run it is the run file.

## Arena

The part of the program that lets networks play: it seats them, plays their games and returns the records.

## Atlas

A numbered list of all positions of a small game, with all moves between them. It has at most 2^16 positions. With an
atlas, a network's decisions can be tabulated and the game can be solved.

## Baseline

In a lab, a [configuration](#configuration) that the others of its group are compared with.

## Blunder

In an experiment (\`blunders\`), a random move that replaces a network's move in games for scores. In the web app's page
Games, a move that is proved to be worse than another move.

## Candidate

In a [tuning](#tuning), one choice of values for the parameters that vary.

## Champion

The network with the highest score of a generation. Among equal scores it is the one with the lowest place. Some
strategies choose it in another way: for CMA-ES it is the mean.

## Checkpoint

Everything that is needed to continue a run between two generations: the next population, remembered games, counts and
the signature. It is saved with every generation.

## Configuration

In a lab, an experiment with certain parameters that is trained with several seeds.

## Coordinator

A program that lets other machines do the work of a training or a lab ([many machines](cluster.md)).

## Crossover

Making a child from the genes of two parents.

## Crosstable

The result of a round robin: a table with the score of each player against each other player.

## Decision cache

A memory of moves that networks chose in a position before. It saves time, changes no result and is never saved.

## Decision table

In a small game, a table of what a network does in every position of the [atlas](#atlas). A game between two networks is
then a walk through two tables.

## Decoder

Turns the outputs of a network into the name of a move. It belongs to a game.

## Elite

A network that stays in the next generation unchanged because it was among the best.

## Elo

A scale of playing strength. A difference of 400 points means an expected score of ten to one.

## Encoder

Turns a position into the inputs of a network. It belongs to a game; a game can have several.

## Endgame table

The result of every position with few pieces (up to four), and the number of plies to the end. The tables are computed
backwards from finished games and saved on disk.

## Entrant

A network that is ready to play in a tournament.

## Exam

The objective test of a player: every position of a solved game, or test positions whose answers are proved. Networks do
not learn from it.

## Experiment

One TOML file with all parameters and a seed. It decides a run completely.

## Game

The rules of a board game. In the code, a value of the type is one position with the side to move.

## Game history

A position together with the part of its past that can lead to a draw: repetitions, quiet plies, and the number of
plies. Positions themselves do not know their past.

## Generation

One round of evolution: all networks play, get scores, and the strategy breeds the next population.

## Genome

What a strategy breeds. Its form is private to the strategy; a network is made from it.

## Grade

The result of an exam as a share from 0 to 1. \`all_positions\` counts every position once; \`on_policy\` counts the
positions that the player meets in games against itself.

## Grid

In a lab, parameters with several values each. Every combination of the values becomes a configuration.

## Growth

The mean result of a champion against the five champions before it, from −1 (all lost) to 1 (all won). The command
\`gamete growth\` measures Elo over the whole run.

## Guest

A champion of the past that plays against every network of a generation. Guests get no score.

## Hall of fame

The champions of all generations so far. Guests are drawn from it.

## Head

How a network's outputs become a move: \`value\`, \`direct\` or \`slots\`.

## Hit rate

The share of look-ups in a memory that find what they look for.

## Illegal attempt

A move that a network names with the head \`direct\` or \`slots\` although it is not legal. In strict play the network then
loses at once.

## Island

A population that takes in champions of a neighbour population from time to time.

## Lab

Experiments × parameters × seeds, described by one file, trained unattended and compared in a report.

## Ladder

Fixed opponents of rising strength, whose Elo is known. \`gamete ladder\` measures a player against them. \`gamete growth\`
orders the champions of a run between such [yardsticks](#yardstick).

## Layered network

A network with fixed layers of given sizes, written as \`91-40-10-1\`. The other form of a network is a graph whose shape
evolves.

## Live game

A game between two players that a page of the web app shows move by move, at the pace of a person.

## Material

The value of a side's pieces less that of the other side's. The player \`material:DEPTH\` searches with it.

## Measure

A number that is recorded for every generation, such as \`grade\` or \`past_share\`.

## Member

In a lab, one configuration with one seed: a run of its own, trained by a process of its own.

## Monte Carlo tree search

A search that plays many random games (playouts) from a position and looks deeper into moves that did well. One playout
with its bookkeeping is a round.

## Mutation

A small random change of a genome.

## mv

The name of a move in the code, because \`move\` is a word of Rust.

## Network

What plays: it computes outputs from inputs. It is either a graph of any shape or a layered network.

## Opening plies

Random moves at the beginning of a game, so that deterministic players do not repeat one game.

## Opinion

What a player thinks of a position: its value, the value of each move, and the line that it expects.

## Outlook

One value within an opinion: a number from −1 (lost) to 1 (won), with the number of plies to the end if the end is
certain.

## Pairing

One game to be played: the places of the two entrants, and the number of the start. Pairings with the same number begin
from the same position.

## Perfect move

A move that keeps a win or a draw, or that delays a defeat as long as possible.

## Perft

The number of move sequences of a given length from a position. It is the usual test of a game's rules.

## Place

The index of a network in the population or among the entrants.

## Player

Anything that chooses moves: a network with or without search, \`random\`, \`mcts:500\`, and so on.

## Ply

One move of one side. A move by each side is two plies.

## Population

All networks of one generation.

## Prepared network

A network prepared for fast evaluation under one [seating](#seating).

## Principal variation

The line of best moves that a search expects from a position.

## Remembered games

Games between networks that stay, which need not be played again. They are saved with the population.

## Round robin

A tournament in which each entrant plays against every other.

## Run

One training of one experiment with one seed, saved in one SQLite file.

## Safe mutation

The one of several random changes that changes the network's answers least, in positions of games that it won.

## Schedule

Decides which networks of a generation play against each other.

## Score

What a strategy receives for each network; higher is better. Usually it is points from games.

## Scoring

Turns the records of a generation's games into scores.

## Seating

What all networks of an experiment share when they play: encoder, head, strict or safe play, and how far they look
ahead.

## Seed

The number from which all random numbers of a run are derived. The same seed gives the same run.

## Setup

The details of a game's rules and its start, such as the numbers of matches in Nim.

## Shape

The numbers of inputs and outputs of a network.

## Shot

In draughts, a move or capture that wins a man by force.

## Side

\`First\` or \`Second\`: who moves first, and the opponent.

## Signature

A hash of the whole history of a run. Two runs with equal signatures are equal. \`gamete bench\` prints a signature of all
behaviour of the program.

## Solved

A run is solved when its champion plays a perfect move in every position.

## Solver

Knows the exact value of positions, from theory or by computing the whole game.

## Species

In NEAT, a group of similar genomes. Genomes compete mainly within their species.

## Start

The position in which a game begins. If a setup allows several, they are numbered.

## Strategy

Breeds the next generation from scores: \`enn\`, \`neat\`, \`cma-es\`, and so on.

## Strength

How well a player plays, measured in games and given as Elo on one scale, on which \`random\` is 0.

## Suite

A set of test positions of an exam that all ask for the same thing, for example to save the king.

## Transposition table

The memory of a search for values of positions that it can reach in several ways. Every search begins with an empty one.

## Tuning

A search for better parameters of an experiment, by \`gamete tune\`.

## Value

A number from −1 (lost) to 1 (won) for the side to move.

## Worker

A program, started by \`gamete worker\`, that takes tasks from a coordinator. In labs on one machine, a processor core
that trains members.

## Yardstick

A player that does not learn, such as \`material:2\` or \`mcts:500\`. Strengths of champions are compared with it.
`,T=e=>e.toLowerCase().replace(/[^\w\s-]/g,``).trim().replace(/\s+/g,`-`),E=/`([^`]+)`|\[([^\]]+)\]\(([^)]+)\)/g;function D(e){let t=[],n=0,r=e=>e&&t.push({kind:`text`,text:e});for(let i of e.matchAll(E)){let[a,o,s=``,c=``]=i;r(e.slice(n,i.index)),o===void 0?c.startsWith(`#`)?t.push({kind:`link`,text:s,id:c.slice(1)}):r(s):t.push({kind:`code`,text:o}),n=i.index+a.length}return r(e.slice(n)),t}function O(e){let t=[],n=[];for(let r of e.split(/\n\s*\n/).map(e=>e.trim().replace(/\s*\n\s*/g,` `))){let[,e,i=``]=/^(#+)\s+(.*)$/.exec(r)??[];e===`##`?n.push({id:T(i),word:i,paragraphs:[]}):e===void 0&&r!==``&&(n.at(-1)?.paragraphs??t).push(D(r))}return{introduction:t,entries:n}}var k=(e,s=d)=>{var l=M();i(l,5,s,h,(e,i)=>{var s=r(),l=S(s),u=e=>{var r=A(),s=p(r,!0);o(()=>a(s,n(i).text)),t(e,r)},d=e=>{var r=j(),s=p(r,!0);o(()=>{b(r,`href`,`#${n(i).id??``}`),a(s,n(i).text)}),t(e,r)},f=e=>{var r=c();o(()=>a(r,n(i).text)),t(e,r)};m(l,e=>{n(i).kind===`code`?e(u):n(i).kind===`link`?e(d,1):e(f,-1)}),t(e,s)}),C(l),t(e,l)},A=s(`<code> </code>`),j=s(`<a> </a>`),M=s(`<p class="svelte-1bq3vjq"></p>`),N=s(`<li><a class="svelte-1bq3vjq"> </a></li>`),P=s(`<section class="svelte-1bq3vjq"><h2 class="svelte-1bq3vjq"> </h2> <!></section>`),F=s(`<h1>Glossary</h1> <!> <nav aria-label="Words" class="svelte-1bq3vjq"><ul class="svelte-1bq3vjq"></ul></nav> <!>`,1);function I(r,s){g(s,!1);let{introduction:c,entries:d}=O(w);_(()=>document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()),y();var m=F();e(`1bq3vjq`,e=>{l(()=>{f.title=`Glossary – Gamete`})});var T=u(S(m),2);i(T,1,()=>c,h,(e,t)=>{k(e,()=>n(t))});var E=u(T,2),D=v(E);i(D,5,()=>d,({id:e,word:t})=>e,(e,r)=>{let i=()=>n(r).id,s=()=>n(r).word;var c=N(),l=v(c),u=p(l,!0);C(c),o(()=>{b(l,`href`,`#${i()??``}`),a(u,s())}),t(e,c)}),C(D),C(E);var A=u(E,2);i(A,1,()=>d,({id:e,word:t,paragraphs:n})=>e,(e,r)=>{let s=()=>n(r).id,c=()=>n(r).word,l=()=>n(r).paragraphs;var d=P(),f=v(d),m=p(f,!0),g=u(f,2);i(g,1,l,h,(e,t)=>{k(e,()=>n(t))}),C(d),o(()=>{b(d,`aria-labelledby`,s()),b(f,`id`,s()),a(m,c())}),t(e,d)}),t(r,m),x()}export{I as default};