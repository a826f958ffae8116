"""A detector of the form and the size of YOLOv8n: SiLU everywhere, split and concatenated bottlenecks, pools in a
row, nearest upsampling, and a head that turns distributions into boxes."""
import torch
from torch import nn


def conv(inputs, outputs, kernel=1, stride=1):
    return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
                         nn.BatchNorm2d(outputs, eps=1e-3), nn.SiLU(inplace=True))


class Bottleneck(nn.Module):
    def __init__(self, width, adds):
        super().__init__()
        self.convs, self.adds = nn.Sequential(conv(width, width, 3), conv(width, width, 3)), adds

    def forward(self, x):
        return x + self.convs(x) if self.adds else self.convs(x)


class C2f(nn.Module):
    def __init__(self, inputs, outputs, count, adds=True):
        super().__init__()
        half = outputs // 2
        self.first, self.last = conv(inputs, outputs), conv((2 + count) * half, outputs)
        self.blocks = nn.ModuleList(Bottleneck(half, adds) for _ in range(count))

    def forward(self, x):
        parts = list(self.first(x).chunk(2, 1))
        for block in self.blocks:
            parts.append(block(parts[-1]))
        return self.last(torch.cat(parts, 1))


class Pools(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first, self.last = conv(width, width // 2), conv(width * 2, width)
        self.pool = nn.MaxPool2d(5, 1, 2)

    def forward(self, x):
        parts = [self.first(x)]
        for _ in range(3):
            parts.append(self.pool(parts[-1]))
        return self.last(torch.cat(parts, 1))


class Detect(nn.Module):
    def __init__(self, widths, classes=80, bins=16):
        super().__init__()
        self.classes, self.bins = classes, bins
        self.boxes = nn.ModuleList(nn.Sequential(conv(w, 64, 3), conv(64, 64, 3), nn.Conv2d(64, 4 * bins, 1))
                                   for w in widths)
        self.kinds = nn.ModuleList(nn.Sequential(conv(w, 80, 3), conv(80, 80, 3), nn.Conv2d(80, classes, 1))
                                   for w in widths)
        self.expectation = nn.Conv2d(bins, 1, 1, bias=False)
        self.expectation.weight.data[:] = torch.arange(bins).float().view(1, bins, 1, 1)

    def forward(self, features):
        flat = [torch.cat((box(x), kind(x)), 1).flatten(2)
                for x, box, kind in zip(features, self.boxes, self.kinds)]
        boxes, kinds = torch.cat(flat, 2).split((4 * self.bins, self.classes), 1)
        batch, _, count = boxes.shape
        boxes = boxes.view(batch, 4, self.bins, count).transpose(2, 1).softmax(1)
        boxes = self.expectation(boxes).view(batch, 4, count)
        low, high = boxes.chunk(2, 1)
        points, strides = self.points(features)
        corners = points - low, points + high
        boxes = torch.cat(((corners[0] + corners[1]) / 2, corners[1] - corners[0]), 1) * strides
        return torch.cat((boxes, kinds.sigmoid()), 1)

    @staticmethod
    def points(features):
        points, strides = [], []
        for level, x in enumerate(features):
            y, x = torch.meshgrid(torch.arange(x.shape[2]) + 0.5, torch.arange(x.shape[3]) + 0.5, indexing="ij")
            points.append(torch.stack((x, y)).view(2, -1))
            strides.append(torch.full((1, x.numel()), 8.0 * 2**level))
        return torch.cat(points, 1)[None], torch.cat(strides, 1)


class YoloN(nn.Module):
    def __init__(self):
        super().__init__()
        self.p3 = nn.Sequential(conv(3, 16, 3, 2), conv(16, 32, 3, 2), C2f(32, 32, 1), conv(32, 64, 3, 2),
                                C2f(64, 64, 2))
        self.p4 = nn.Sequential(conv(64, 128, 3, 2), C2f(128, 128, 2))
        self.p5 = nn.Sequential(conv(128, 256, 3, 2), C2f(256, 256, 1), Pools(256))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        self.up4, self.up3 = C2f(384, 128, 1, False), C2f(192, 64, 1, False)
        self.down4, self.merge4 = conv(64, 64, 3, 2), C2f(192, 128, 1, False)
        self.down5, self.merge5 = conv(128, 128, 3, 2), C2f(384, 256, 1, False)
        self.detect = Detect((64, 128, 256))

    def forward(self, x):
        p3 = self.p3(x)
        p4 = self.p4(p3)
        p5 = self.p5(p4)
        up4 = self.up4(torch.cat((self.up(p5), p4), 1))
        out3 = self.up3(torch.cat((self.up(up4), p3), 1))
        out4 = self.merge4(torch.cat((self.down4(out3), up4), 1))
        return self.detect((out3, out4, self.merge5(torch.cat((self.down5(out4), p5), 1))))
