// A transposed times B transposed, with B constant, scaled to int8.
func.func @main(%x: tensor<32x24xi8>) -> tensor<24x20xi8> {
  %w = arith.constant dense<"0xFB000401FEF7FC070902000003040705F9FD04FEF8FEFEFE0303FDFB0002F7000506FCFBF702040801070601FA090008FF04F700F906FA07FEFF0402FEF8FA070707FCFB00F8F9FDF7F804F7F9F8F7F8080101F7F708FD06FDFF00090807FFFEFCFD03F8FE0805F8010104FAF709FC07F9FCFDFEFC00FAF801FBF905FBFEF80002F809F905FDFEFCFAF8FDF8FAF9FE00FF0704FEF8FFFD010202050303F904FE0601FCFAFEF904FF080001020405020201030607F702FB00FC0009FB08FBFC05FBFBFCF9FFFE0201FCFF0600F904FB080205FAFB01F9FC0608F8F8FD02020702070201FAFC03F8FFFDF8FE00010903FE02F8FE0009F7FDFAFBFE0207FFFBFCFEF90009070708080405090706FC0702FD04F9FFFDFEFBFBFDF7FC0602FCF802F9FEFDF905FD01FC09F7FD010608F8F802060802FB06F9070109000109F9060104F9FFF901F7FC01FE01FFFF000604F700FC00F8FA0404FDFF0209060900FFFC01FB02FA03020709FD0305FB06FEF8FEF9F9F807070609060107FC090603F703080805FC090902F8020205FE0800F90502FDFCFB05F8020901FC090606F709FEF805FC07FD0305FA01FFFBFC01FBFC0700FE08040505070800FC07070009FD00FBF701FA040307FC0505080502FDF8F9FAFA0803FB0503FC06050709F809FD090506030002FCFFFCF708F8F908FE05010501FA03F805FF04050107FAFC0308040607FB01FB02FBFDFEFD05FBFAFA04F805FB020801FF03F7030605000009030100FCFA06FC05FB05FA08FA080101060801090108090501060308FDFCFE08FDFEF801F80104F702020204FD00FE010303FCF70302FEFEF90103FD00FA04F702F904FBFA08FC01FB0304010807FFFDFDFCFC08FCFBFA050907FB04FB0101FBF702FC"> : tensor<20x32xi8>
  %start = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<24x20xi32>
  %zeros = linalg.fill ins(%start : i32) outs(%empty : tensor<24x20xi32>) -> tensor<24x20xi32>
  %sums = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>,
                                           affine_map<(m, n, k) -> (m, n)>],
                          iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<32x24xi8>, tensor<20x32xi8>) outs(%zeros : tensor<24x20xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %wide = arith.extsi %a : i8 to i32
    %factor = arith.extsi %b : i8 to i32
    %product = arith.muli %wide, %factor : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> tensor<24x20xi32>
  %bias = arith.constant 0 : i32
  %multiplier = arith.constant 1073741824 : i32
  %shift = arith.constant 35 : i8
  %bytes = tensor.empty() : tensor<24x20xi8>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<24x20xi32>) outs(%bytes : tensor<24x20xi8>) {
  ^bb0(%sum: i32, %old: i8):
    %scaled = qnn.requantize %sum, %bias, %multiplier, %shift {zero_point = 0 : i8, lo = -128 : i8, hi = 127 : i8,
        rounding = #qnn.rounding<half_even>} : (i32, i32, i32, i8) -> i8
    linalg.yield %scaled : i8
  } -> tensor<24x20xi8>
  return %y : tensor<24x20xi8>
}
